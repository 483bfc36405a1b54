import Foundation
import KinemaCore

/// The scale of a recording: metres per picture height, from the person's height.
struct BodyScale: Sendable {
    var metresPerUnit: Double
    /// The spread over frames as a share: 1.4826 median absolute deviations.
    var spread: Double
    var frames: Int
    var method: String
    /// The change of the person's size between the tenth and the ninetieth percentile, as a share.
    var change: Double

    /// The limits of an upright posture, degrees: the trunk from the vertical, and the bend of the straighter knee.
    private static let (trunk, knee) = (15.0, 20.0)
    /// The minimum number of upright frames for a scale.
    private static let leastFrames = 10
    private static let leastConfidence = 0.5

    /// Compares the body's length with a height in metres; `tilt` is the floor's angle in degrees. Nil without a frame
    /// that shows trunk and legs.
    init?(_ track: MeasuredTrack, height: Double, tilt: Double) {
        let readings = (0..<track.count).compactMap { Self.reading(track, $0, tilt: tilt) }
        let upright = readings.filter { $0.trunk < Self.trunk && $0.knee < Self.knee }
        let isStanding = upright.count >= Self.leastFrames
        let lengths = (isStanding ? upright : readings).map(\.length)
        // Segments pointing at the camera look short, so without upright frames the longer ones count.
        guard let length = isStanding ? lengths.median : lengths.quantile(0.75), length > 0,
            let low = lengths.quantile(0.1), let high = lengths.quantile(0.9)
        else { return nil }
        metresPerUnit = height / length
        spread = 1.4826 * lengths.map { abs($0 - length) }.median / length
        frames = lengths.count
        method = isStanding ? "standing" : "segments"
        change = high / max(low, 1e-9) - 1
    }

    init(given metresPerUnit: Double) {
        (self.metresPerUnit, spread, frames, method, change) = (metresPerUnit, 0, 0, "given", 0)
    }

    private struct Reading {
        /// The standing height in picture heights.
        var length: Double
        var trunk: Double
        var knee: Double
    }

    /// Adds the lengths of legs, trunk and head, and the shares of foot and crown that have no landmark.
    private static func reading(_ track: MeasuredTrack, _ index: Int, tilt: Double) -> Reading? {
        guard let root = track.position(.root, index), let neck = track.position(.neck, index), root != neck else {
            return nil
        }
        var legs: [(length: Double, knee: Double)] = []
        for side in LimbJoints.both where track.confidence([side.hip, side.knee, side.ankle], index) >= leastConfidence
        {
            guard let hip = track.position(side.hip, index), let knee = track.position(side.knee, index),
                let ankle = track.position(side.ankle, index)
            else { continue }
            let (thigh, shank) = (hip - knee, ankle - knee)
            let turn = atan2(thigh.x * shank.y - thigh.y * shank.x, (thigh * shank).sum())
            legs.append((length(thigh) + length(shank), abs(180 - abs(turn) * 180 / .pi)))
        }
        guard let bend = legs.map(\.knee).min() else { return nil }
        let straight = legs.filter { $0.knee < knee }
        let used = straight.isEmpty ? legs : straight
        let leg = used.map(\.length).reduce(0, +) / Double(used.count)
        let trunk = neck - root
        let up = trunk / length(trunk)
        for (keys, share) in BodyShare.crown {
            let known = keys.filter { track.confidence([$0], index) >= leastConfidence }.compactMap {
                track.position($0, index)
            }
            guard !known.isEmpty else { continue }
            let head = known.map { (($0 - neck) * up).sum() }.reduce(0, +) / Double(known.count)
            let lean = abs(atan2(trunk.x, trunk.y) * 180 / .pi + tilt)
            return Reading(
                length: (leg + length(trunk) + head) / (1 - BodyShare.ankle - share), trunk: lean, knee: bend)
        }
        return nil
    }
}
