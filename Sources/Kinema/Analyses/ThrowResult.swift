import Foundation
import KinemaToss

/// One throw; the JSON of `kinema toss`.
public struct ThrowResult: Codable, Sendable, Hashable {
    /// The throw's number in the game, from 1.
    public var number: Int
    /// The kind of throw, by `ThrowType` in lower case.
    public var type: String
    /// The confidence of the type, 0...1; 0 if the thrower was not in view, null for throws of an older version.
    @Nullable public var typeConfidence: Double?
    /// The bag's speed at the release, in miles an hour and metres a second.
    public var speedMph: Double, speedMps: Double
    /// The bag's direction above the horizontal at the release, degrees.
    public var angle: Double
    /// The forearm's direction above the horizontal at the release, degrees; null if it was not seen.
    @Nullable public var armAngle: Double?
    /// The distance along the ground from the hand to the landing, in metres and feet; null for older versions.
    @Nullable public var distanceM: Double?
    /// The same in feet.
    @Nullable public var distanceFt: Double?
    /// The player's distance from the hole, in metres; null if the feet were not seen.
    @Nullable public var playerDistanceM: Double?
    /// The same in feet.
    @Nullable public var playerDistanceFt: Double?
    /// The points scored.
    public var score: Int
    /// The landing of the bag: off, board or hole.
    public var landing: String
    /// The release and the landing, seconds.
    public var start: Double, end: Double
    /// What of the throw was not seen and is computed from the rest, in words; absent if all was seen.
    public var unseen: String?
    /// The end of the bag's path: x and y, normalised, origin at the lower left.
    public var point: [Double]
    /// The detected positions of the bag: time in seconds, x, y.
    public var path: [[Double]]

    private enum CodingKeys: String, CodingKey {
        case number, type, angle, score, landing, start, end, unseen, point, path
        case speedMph = "speed_mph", speedMps = "speed_mps", armAngle = "arm_angle", typeConfidence = "type_confidence"
        case distanceM = "distance_m", distanceFt = "distance_ft"
        case playerDistanceM = "player_distance_m", playerDistanceFt = "player_distance_ft"
    }

    init(_ one: TossThrow) {
        let metrics = one.metrics
        (number, type) = (one.number, metrics.throwType.rawValue.lowercased())
        (speedMph, speedMps) = (metrics.releaseSpeedMilesPerHour.rounded(to: 2), metrics.releaseSpeed.rounded(to: 3))
        (angle, armAngle) = (metrics.launchAngle.rounded(to: 2), metrics.releaseAngle?.rounded(to: 2))
        typeConfidence = Double(metrics.typeConfidence).rounded(to: 3)
        distanceM = metrics.distance.rounded(to: 2)
        distanceFt = (metrics.distance * TossRules.feet).rounded(to: 1)
        playerDistanceM = metrics.playerDistance?.rounded(to: 2)
        playerDistanceFt = metrics.playerDistance.map { ($0 * TossRules.feet).rounded(to: 1) }
        (score, landing) = (metrics.score.rawValue, metrics.landing.rawValue)
        (start, end) = (metrics.start.rounded(to: 4), metrics.end.rounded(to: 4))
        unseen = metrics.unseen
        point = metrics.finalBagLocation.pair
        path = one.samples.map { [$0.time.rounded(to: 5)] + $0.point.pair }
    }

    package var line: String {
        let sure = typeConfidence.map { " (\(($0 * 100).text(0)) %)" } ?? ""
        let far = distanceM.map { ", \(($0 * TossRules.feet).text(1)) ft (\($0.text(2)) m)" } ?? ""
        return "\(number).  \(start.text(2)) to \(end.text(2)) s  \(type)\(sure), \(speedMph.text(1)) mph "
            + "(\(speedMps.text(2)) m/s), \(angle.text(0))\u{B0}\(far), \(landing)  +\(score)"
            + (unseen.map { "; \($0)" } ?? "")
    }
}
