/// A repetition as a reviewer corrected it; times are seconds from the session's first frame.
package struct CorrectedRepetition: Sendable, Equatable, Codable {
    package var id: Int
    package var start: Double, end: Double
}
