public import Foundation
import KinemaCore

/// The player in the picture.
public struct TossPlayer: Sendable, Hashable {
    /// The person's number.
    public var id: Int?
    /// The box around the body, a little larger: normalised, origin at the lower left.
    public var box: CGRect
    /// The distance along the ground from the hole to the player's feet, in metres; nil while the feet are not seen.
    public var distance: Double?

    /// The margin of the box on each side, as a share of the picture's width: 20 of the sample's 896 points.
    private static let margin = 20.0 / 896

    /// Makes the player from a pose; nil if the pose is not confident enough or shows nothing.
    init?(_ pose: Pose, view: FieldView?, aspectRatio: Double, rules: TossRules) {
        guard pose.confidence > rules.bodyConfidence,
            let body = pose.boundingBox(confidenceThreshold: rules.jointConfidence)
        else { return nil }
        id = pose.id
        let picture = CGRect(x: 0, y: 0, width: 1, height: 1)
        box = body.insetBy(dx: -Self.margin, dy: -Self.margin * aspectRatio).intersection(picture)
        // The lower foot is the one on the ground.
        let ankles = [JointKey.leftAnkle, .rightAnkle].compactMap {
            pose.location(of: $0, above: rules.jointConfidence)
        }
        distance = ankles.min { $0.y < $1.y }.flatMap { view?.distance(ofAnklesAt: $0) }
    }
}

/// Totals and averages of a game, in metres, metres per second and degrees; averages are nil without throws.
package struct PlayerStats: Sendable, Hashable {
    package let metrics: [ThrowMetrics]

    package init(_ metrics: [ThrowMetrics]) { self.metrics = metrics }

    package var throwCount: Int { metrics.count }
    package var totalScore: Int { metrics.reduce(0) { $0 + $1.score.rawValue } }
    /// The highest release speed, in metres per second; 0 without throws.
    package var topSpeed: Double { metrics.map(\.releaseSpeed).max() ?? 0 }
    package var averageSpeed: Double? { mean(metrics.map(\.releaseSpeed)) }
    package var averageLaunchAngle: Double? { mean(metrics.map(\.launchAngle)) }
    /// The mean of the known release angles, in degrees.
    package var averageReleaseAngle: Double? { mean(metrics.compactMap(\.releaseAngle)) }
    package var averageDistance: Double? { mean(metrics.map(\.distance)) }

    private func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
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
    /// What of the throw was not seen and is computed from the rest, in words; nil if all was seen.
    package var unseen: String?

    /// The release speed in miles per hour, rounded to two decimals.
    package var releaseSpeedMilesPerHour: Double { (releaseSpeed * TossRules.milesPerHour * 100).rounded() / 100 }
}

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

package enum TossLanding: String, CaseIterable, Codable, Sendable {
    case hole, board, off
}
