import Foundation

package struct SessionPlan: Sendable, Equatable, Codable {
    package var plan: String
    package var set: Int, sets: Int
    package var target: Int?

    private static let numbers = 1...100
    /// Repetitions, or the seconds of a hold.
    private static let targets = 1...1_000

    /// Whether the plan is a UUID and every number is possible.
    package var isValid: Bool {
        UUID(uuidString: plan) != nil && [set, sets].allSatisfy(Self.numbers.contains)
            && target.map(Self.targets.contains) != false
    }
}
