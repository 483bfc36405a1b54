package import Foundation

/// The constants of the game, from Apple's Action & Vision. Its frame counts are converted to seconds at the sample's
/// 30 fps.
public struct TossRules: Sendable, Hashable {
    /// The direction of throws that count.
    public enum Direction: String, CaseIterable, Codable, Sendable {
        /// From the player to the board, on either side.
        case towardBoard
        /// From left to right only, as in the sample.
        case leftToRight
    }

    /// The number of throws in a game; `Int.max` for a game that ends with its video.
    public var maxThrows = 8
    /// The board's length, in metres.
    public var boardLength = 1.22
    /// The board's width and the hole's diameter, in metres.
    package var boardWidth = 0.61, holeDiameter = 0.152
    /// The distance from the far edge to the hole's centre, in metres: 9 inches (American Cornhole Association).
    package var holeInset = 0.229
    /// The distance of the throwing line from the hole, in metres: 25 feet.
    package var lineDistance = 7.62
    /// The target for a board that is not found: normalised, origin at the lower left.
    package var boardGuide = CGRect(x: 0.7, y: 0.3, width: 0.28, height: 0.3)
    /// The search time before that request, in seconds.
    var placementDelay: TimeInterval = 3
    /// The share of the picture above which a board is seen from above or from too near for a game.
    var largestBoard = 0.2
    var trajectoryLength = 15
    /// The time of classified poses before and after the release, in seconds: 45 frames.
    var poseMemory: TimeInterval = 45.0 / 30
    /// The time without a sight of the bag that ends a throw, in seconds: 20 frames.
    var noObservationLimit: TimeInterval = 20.0 / 30
    /// The wait after a throw before the search for the bag on the ground, in seconds.
    var settlingTime: TimeInterval = 0.75
    /// The wait after the last sighting of a bag that came down there, in seconds: its resting place is seen by then.
    var restTime: TimeInterval = 0.65
    /// The longest time from the last sighting to the landing of such a bag, in seconds.
    var landingGap: TimeInterval = 0.15
    /// The largest gap to a continuing trajectory, as a share of the picture's width: 250 of the sample's 896 points.
    var continuation = 250.0 / 896
    /// The display time of "Go" before throws are followed, in seconds.
    var getReady: TimeInterval = 1
    /// The confidences that a board, a body, a joint and a trajectory must exceed, 0...1.
    var boardConfidence: Float = 0.6, bodyConfidence: Float = 0.6, jointConfidence: Float = 0.1
    var trajectoryConfidence: Float = 0.9
    /// The direction of throws that count.
    public var direction = Direction.towardBoard

    /// Creates the sample's rules, with throws in either direction.
    public init() {}

    package static let milesPerHour = 2.23694
    package static let feet = 1 / 0.3048
}

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

/// The number of throws of a game: from 1, or "all" without a limit.
package struct ThrowLimit: Sendable, Hashable, Decodable {
    /// The number; `Int.max` for all.
    package let count: Int

    /// Reads "12" or "all"; nil for anything else.
    package init?(_ text: String) {
        guard let count = text == "all" ? .max : Int(text), count >= 1 else { return nil }
        self.count = count
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try (try? value.decode(Int.self)).map { String($0) } ?? value.decode(String.self)
        guard let limit = ThrowLimit(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "neither a number from 1 nor \"all\"")
        }
        self = limit
    }
}

/// The state of a game. States and transitions are those of Apple's Action & Vision.
public enum GameState: String, CaseIterable, Codable, Sendable {
    /// Not started.
    case inactive
    /// The camera or the file opens.
    case setupCamera
    /// Searching for the board, which requires a still scene.
    case detectingBoard
    /// The board is known.
    case detectedBoard
    /// Waiting for a player.
    case detectingPlayer
    /// A player is in view; throws are followed in a moment.
    case detectedPlayer
    /// Throws are followed.
    case trackThrows
    /// A throw just ended.
    case throwCompleted
    /// The game is over.
    case showSummary

    private static let following: [GameState: Set<GameState>] = [
        .inactive: [.setupCamera], .setupCamera: [.detectingBoard], .detectingBoard: [.detectedBoard],
        .detectedBoard: [.detectingPlayer], .detectingPlayer: [.detectedPlayer], .detectedPlayer: [.trackThrows],
        .trackThrows: [.throwCompleted, .showSummary], .throwCompleted: [.showSummary, .trackThrows],
        .showSummary: [.detectingPlayer],
    ]

    func isValidNextState(_ next: GameState) -> Bool {
        next == .inactive ? self != .inactive : Self.following[self]?.contains(next) == true
    }
}

/// The instruction to the player before the next throw counts.
public enum TossGuidance: String, CaseIterable, Codable, Sendable {
    /// The board is searched for.
    case locatingBoard
    /// The camera moves, so neither the board nor a bag can be followed.
    case keepStill
    /// The camera stands still, but no board is found.
    case placeBoard
    /// The board fills the picture, so nobody can be seen throwing.
    case boardOnly
    /// The board is found, and a player is waited for.
    case stepIn
    /// The game begins.
    case go
    /// Throws are followed.
    case play
    /// The summary is shown.
    case gameOver

    /// The guidance in words, those of Apple's Action & Vision except for a board that fills the picture; may be empty.
    public var text: String {
        switch self {
        case .locatingBoard: "Locating the board"
        case .keepStill: "Keep the device still"
        case .placeBoard: "Place the board in the box"
        case .boardOnly: "Move the camera to the side, so that it sees the player too"
        case .stepIn: "Board detected"
        case .go: "Go"
        case .play: ""
        case .gameOver: "Game over"
        }
    }
}
