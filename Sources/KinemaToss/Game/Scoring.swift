/// The points for a throw; a throw under the leg counts five times as much.
package enum Scoring: Int, CaseIterable, Codable, Sendable {
    case zero = 0, one = 1, three = 3, five = 5, fifteen = 15

    package init(_ landing: TossLanding, type: ThrowType) {
        switch landing {
        case .off: self = .zero
        case .board: self = type == .underleg ? .five : .one
        case .hole: self = type == .underleg ? .fifteen : .three
        }
    }

    /// The highest possible score: every throw goes through the hole and under the leg.
    package static func maximum(throws count: Int) -> Int { count * Scoring.fifteen.rawValue }
}
