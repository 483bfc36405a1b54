package import Foundation

package struct TossThrow: Sendable {
    package var number: Int
    package var metrics: ThrowMetrics
    /// The release; nil if nobody was in view.
    var release: Release?
    package var samples: [TossTrajectory.Sample]
    /// The bag's path from the hand to the landing, at equal time steps.
    package var path: [TossTrajectory.Sample]
    /// The ground according to this throw.
    var view: FieldView
}

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

    /// The release speed in miles per hour, rounded to two decimals.
    package var releaseSpeedMilesPerHour: Double { (releaseSpeed * TossRules.milesPerHour * 100).rounded() / 100 }
}

package enum TossLanding: String, CaseIterable, Codable, Sendable {
    case hole, board, off
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
