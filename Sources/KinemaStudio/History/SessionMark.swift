/// A part of a session that shows one action, for training, in seconds from the session's first frame.
package struct SessionMark: Sendable, Equatable, Codable {
    package var start: Double, end: Double
    package var label: String
    /// The person's number; nil for the most prominent person.
    package var id: Int?
}
