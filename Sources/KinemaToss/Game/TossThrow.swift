public import Foundation

/// A throw in a game.
public struct TossThrow: Sendable {
    /// The number of the throw in the game, from 1.
    public var number: Int
    /// Type, speed, angles, landing, score and times.
    public var metrics: ThrowMetrics
    /// Who released the bag; nil if nobody was in view.
    public var release: Release?
    /// Where the bag was observed.
    public var samples: [TossTrajectory.Sample]
    /// The bag's path from the hand to the landing, at equal time steps.
    public var path: [TossTrajectory.Sample]
    /// The ground as this throw shows it.
    public var view: FieldView
}

/// An event in the game.
public enum TossEvent: Sendable {
    /// The game went from one state to another.
    case stateChanged(from: GameState, to: GameState)
    /// A bag is in the air.
    case throwBegan
    /// A throw ended.
    case throwCompleted(TossThrow)
}

/// The measurements of one throw.
public struct ThrowMetrics: Sendable, Hashable, Codable {
    /// How it was thrown.
    public var throwType = ThrowType.none
    /// The confidence of the type, 0...1; 0 if the thrower was not in view.
    public var typeConfidence: Float = 0
    /// Where the bag ended up.
    public var landing = TossLanding.off
    /// Its points.
    public var score = Scoring.zero
    /// The bag's speed at the release, in metres per second.
    public var releaseSpeed = 0.0
    /// The bag's direction above the horizontal at the release, in degrees.
    public var launchAngle = 0.0
    /// The forearm's direction above the horizontal at the release, in degrees 0...180; nil if the elbow or the wrist
    /// was not seen. The sample's release angle, but in true proportions.
    public var releaseAngle: Double?
    /// The distance along the ground from where the bag left the hand to where it came down, in metres.
    public var distance = 0.0
    /// How far from the hole the player stood, along the ground in metres; nil if the feet were not seen.
    public var playerDistance: Double?
    /// When the bag left the hand, in seconds.
    public var start: TimeInterval = 0
    /// When it reached the board, the hole or the ground, in seconds.
    public var end: TimeInterval = 0
    /// Where it ended: normalised, origin at the lower left.
    public var finalBagLocation = CGPoint.zero

    /// Makes the metrics of a throw of which nothing is known yet.
    public init() {}

    /// The release speed in miles per hour, rounded to two decimals.
    public var releaseSpeedMilesPerHour: Double {
        (releaseSpeed * TossRules.milesPerHour * 100).rounded() / 100
    }
}

/// How a bag was thrown.
public enum ThrowType: String, CaseIterable, Codable, Sendable {
    /// The hand above the shoulder.
    case overhand = "Overhand"
    /// The arm swung from below.
    case underhand = "Underhand"
    /// The arm swung from below, under a lifted leg.
    case underleg = "Underleg"
    /// None of these, or the thrower was not in view.
    case none = "None"

    /// Parses a classifier's label, ignoring case; nil if it names no throw type.
    public init?(label: String) {
        let name = label.lowercased()
        guard let type = ThrowType.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        self = type
    }
}
