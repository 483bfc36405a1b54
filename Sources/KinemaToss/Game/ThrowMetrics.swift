public import Foundation

/// What is known about one throw.
public struct ThrowMetrics: Sendable, Hashable, Codable {
    /// How it was thrown.
    public var throwType = ThrowType.none
    /// Where the bag ended up.
    public var landing = TossLanding.off
    /// Its points.
    public var score = Scoring.zero
    /// The bag's speed when it left the hand, metres a second.
    public var releaseSpeed = 0.0
    /// The bag's direction above the horizontal when it left the hand, degrees.
    public var launchAngle = 0.0
    /// The forearm's direction above the horizontal at the release, degrees 0...180, as the sample measures the release
    /// angle but in true proportions; nil when elbow or wrist were not seen.
    public var releaseAngle: Double?
    /// When the bag left the hand, seconds.
    public var start: TimeInterval = 0
    /// When it reached the board, the hole or the ground, seconds.
    public var end: TimeInterval = 0
    /// Where it ended: normalised, origin at the lower left.
    public var finalBagLocation = CGPoint.zero

    /// A throw of which nothing is known yet.
    public init() {}

    /// The release speed in miles an hour, to two decimals.
    public var releaseSpeedMilesPerHour: Double {
        (releaseSpeed * TossRules.milesPerHour * 100).rounded() / 100
    }
}
