/// Where a bag ended up.
public enum TossLanding: String, CaseIterable, Codable, Sendable {
    /// Through the hole.
    case hole
    /// On the board.
    case board
    /// Beside the board.
    case off
}

/// The points of a throw; under the leg counts five times as much, for style.
public enum Scoring: Int, CaseIterable, Codable, Sendable {
    /// Off the board.
    case zero = 0
    /// On the board.
    case one = 1
    /// Through the hole.
    case three = 3
    /// On the board, thrown under the leg.
    case five = 5
    /// Through the hole, thrown under the leg.
    case fifteen = 15

    /// The points for a landing and a type.
    public init(_ landing: TossLanding, type: ThrowType) {
        switch landing {
        case .off: self = .zero
        case .board: self = type == .underleg ? .five : .one
        case .hole: self = type == .underleg ? .fifteen : .three
        }
    }

    /// The most a game of so many throws can bring: every one through the hole and under the leg.
    public static func maximum(throws count: Int) -> Int { count * Scoring.fifteen.rawValue }
}
