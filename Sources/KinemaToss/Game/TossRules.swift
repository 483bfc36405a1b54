public import Foundation

/// The game's constants: those of Apple's Action & Vision, with frames as seconds at the 30 a second it was made for.
public struct TossRules: Sendable, Hashable {
    /// Which way throws go that count.
    public enum Direction: String, CaseIterable, Codable, Sendable {
        /// From the player to the board, whichever side it is on.
        case towardBoard
        /// From left to right only, as the sample has it.
        case leftToRight
    }

    /// The most throws of a game.
    public var maxThrows = 8
    /// The board's length, metres.
    public var boardLength = 1.22
    /// The board's width, metres.
    public var boardWidth = 0.61
    /// The hole's diameter, metres.
    public var holeDiameter = 0.152
    /// From the board's far edge to the hole's middle, metres: 9 inches by the American Cornhole Association's rules.
    public var holeInset = 0.229
    /// How many points a trajectory has at most.
    public var trajectoryLength = 15
    /// How long poses are kept, seconds: 45 frames.
    public var poseMemory: TimeInterval = 45.0 / 30
    /// How long a bag in flight may stay unseen before the throw is over, seconds: 20 frames.
    public var noObservationLimit: TimeInterval = 20.0 / 30
    /// How long the ground is left to settle before a throw is judged by what lies there, seconds.
    public var settling: TimeInterval = 0.75
    /// How long poses are still taken once a bag flies, seconds: 10 frames.
    public var inFlightPoses: TimeInterval = 10.0 / 30
    /// How far from a path's end a trajectory may begin to continue it, as a share of the picture's width: 250 points
    /// of the 896 that the sample's screen is wide.
    public var continuation = 250.0 / 896
    /// How long "Go" is shown before throws are followed, seconds.
    public var getReady: TimeInterval = 1
    /// Boards must be surer than this (0...1).
    public var boardConfidence: Float = 0.6
    /// Bodies must be surer than this (0...1).
    public var bodyConfidence: Float = 0.6
    /// Joints must be surer than this (0...1).
    public var jointConfidence: Float = 0.1
    /// Trajectories must be surer than this (0...1).
    public var trajectoryConfidence: Float = 0.9
    /// Which way throws go that count.
    public var direction = Direction.towardBoard

    /// The sample's rules, for throws to either side.
    public init() {}

    /// Miles an hour in a metre a second.
    public static let milesPerHour = 2.23694
}
