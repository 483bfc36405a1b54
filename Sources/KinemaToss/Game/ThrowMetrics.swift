package import Foundation

package struct ThrowMetrics: Sendable, Hashable {
    package var throwType = ThrowType.none
    /// The confidence of the type, 0...1; 0 if the thrower was not in view.
    package var typeConfidence: Float = 0
    package var landing = TossLanding.off
    package var score = Scoring.zero
    /// The bag's speed at the release, in metres per second.
    package var releaseSpeed = 0.0
    /// The bag's direction above the horizontal at the release, in degrees.
    package var launchAngle = 0.0
    /// The forearm's direction above the horizontal at the release, in true degrees 0...180; nil if unseen.
    package var releaseAngle: Double?
    /// The distance along the ground from where the bag left the hand to where it came down, in metres.
    package var distance = 0.0
    /// The player's distance from the hole along the ground, in metres; nil if the feet were not seen.
    package var playerDistance: Double?
    /// The times of the release and of the landing, in seconds.
    package var start: TimeInterval = 0, end: TimeInterval = 0
    /// The end of the path: normalised, origin at the lower left.
    package var finalBagLocation = CGPoint.zero
    /// What of the throw was not seen and is computed from the rest, in words; nil if all was seen.
    package var unseen: String?

    /// The release speed in miles per hour, rounded to two decimals.
    package var releaseSpeedMilesPerHour: Double { (releaseSpeed * TossRules.milesPerHour * 100).rounded() / 100 }
}
