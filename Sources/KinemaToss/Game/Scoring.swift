public import Foundation

/// Where a bag ended up.
public enum TossLanding: String, CaseIterable, Codable, Sendable {
    /// Through the hole.
    case hole
    /// On the board.
    case board
    /// Beside the board.
    case off
}

/// The points for a throw; a throw under the leg counts five times as much.
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

    /// The points for a landing and a throw type.
    public init(_ landing: TossLanding, type: ThrowType) {
        switch landing {
        case .off: self = .zero
        case .board: self = type == .underleg ? .five : .one
        case .hole: self = type == .underleg ? .fifteen : .three
        }
    }

    /// The highest possible score of a game: every throw goes through the hole and under the leg.
    public static func maximum(throws count: Int) -> Int { count * Scoring.fifteen.rawValue }
}

/// The statistics of a game.
public struct PlayerStats: Sendable, Hashable {
    /// The metrics of each throw, in order.
    public private(set) var metrics: [ThrowMetrics] = []
    /// The path of each throw: normalised points, origin at the lower left.
    public private(set) var throwPaths: [[CGPoint]] = []

    /// Makes the statistics of a game without throws.
    public init() {}

    /// The number of throws.
    public var throwCount: Int { metrics.count }
    /// The total number of points.
    public var totalScore: Int { metrics.reduce(0) { $0 + $1.score.rawValue } }
    /// The highest release speed, in metres per second; 0 without throws.
    public var topSpeed: Double { metrics.map(\.releaseSpeed).max() ?? 0 }
    /// The mean release speed, in metres per second; nil without throws.
    public var averageSpeed: Double? { mean(metrics.map(\.releaseSpeed)) }
    /// The mean launch angle, in degrees; nil without throws.
    public var averageLaunchAngle: Double? { mean(metrics.map(\.launchAngle)) }
    /// The mean of the known release angles, in degrees; nil if none is known.
    public var averageReleaseAngle: Double? { mean(metrics.compactMap(\.releaseAngle)) }

    /// The mean distance, in metres; nil without throws.
    public var averageDistance: Double? { mean(metrics.map(\.distance)) }

    /// Adds a throw with its path.
    public mutating func add(_ metrics: ThrowMetrics, path: [CGPoint]) {
        self.metrics.append(metrics)
        throwPaths.append(path)
    }

    /// Clears everything, including averages and paths.
    public mutating func reset() {
        self = PlayerStats()
    }

    private func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}

/// The constants of the game, from Apple's Action & Vision. Its frame counts are seconds here, at the sample's 30 fps.
public struct TossRules: Sendable, Hashable {
    /// The direction of throws that count.
    public enum Direction: String, CaseIterable, Codable, Sendable {
        /// From the player to the board, whichever side it is on.
        case towardBoard
        /// From left to right only, as in the sample.
        case leftToRight
    }

    /// The number of throws in a game; `Int.max` for a game that ends with its video.
    public var maxThrows = 8
    /// The board's length, in metres.
    public var boardLength = 1.22
    /// The board's width, in metres.
    public var boardWidth = 0.61
    /// The hole's diameter, in metres.
    public var holeDiameter = 0.152
    /// The distance from the board's far edge to the centre of the hole, in metres: 9 inches in the rules of the
    /// American Cornhole Association.
    public var holeInset = 0.229
    /// How far from the hole the line is from behind which bags are thrown, in metres: 25 feet.
    public var lineDistance = 7.62
    /// Where the player is asked to bring the board if it is not found: normalised, origin at the lower left.
    public var boardGuide = CGRect(x: 0.7, y: 0.3, width: 0.28, height: 0.3)
    /// How long to search for the board before that, in seconds.
    public var placementDelay: TimeInterval = 3
    /// The share of the picture above which a board is seen from above or from too near for a game.
    public var largestBoard = 0.2
    /// The maximum number of points in a trajectory.
    public var trajectoryLength = 15
    /// How long before and after the release poses are classified, in seconds: 45 frames.
    public var poseMemory: TimeInterval = 45.0 / 30
    /// How long a bag in flight may stay unseen before the throw ends, in seconds: 20 frames.
    public var noObservationLimit: TimeInterval = 20.0 / 30
    /// How long to wait after a throw before looking for the bag on the ground, in seconds.
    public var settlingTime: TimeInterval = 0.75
    /// How far from the end of a path a trajectory that continues it may begin, as a share of the picture's width: 250
    /// of the 896 points of the sample's screen.
    public var continuation = 250.0 / 896
    /// How long "Go" is shown before throws are followed, in seconds.
    public var getReady: TimeInterval = 1
    /// The confidence a board must exceed (0...1).
    public var boardConfidence: Float = 0.6
    /// The confidence a body must exceed (0...1).
    public var bodyConfidence: Float = 0.6
    /// The confidence a joint must exceed (0...1).
    public var jointConfidence: Float = 0.1
    /// The confidence a trajectory must exceed (0...1).
    public var trajectoryConfidence: Float = 0.9
    /// The direction of throws that count.
    public var direction = Direction.towardBoard

    /// Makes the sample's rules, with throws in either direction.
    public init() {}

    /// Miles per hour in one metre per second.
    public static let milesPerHour = 2.23694
    /// Feet in one metre.
    public static let feet = 1 / 0.3048
}
