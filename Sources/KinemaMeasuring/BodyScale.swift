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

/// Body proportions as shares of the standing height.
enum BodyShare {
    /// From the lateral malleolus to the ground: Drillis and Contini (1966), in Winter (2009), figure 4.1.
    static let ankle = 0.039
    /// From the middle of heel and toe landmarks to the sole: measured on rendered figures.
    static let sole = 0.0125
    /// From hip to ankle: Drillis and Contini.
    static let leg = 0.491
    /// From the crown to ears, eyes, nose and to the midpoint of the shoulder joints: tragion, eye and acromial heights
    /// of ANSUR II (Gordon et al. 2014), means of women and men; rendered figures agree within 0.005.
    static let crown: [(joints: [JointKey], share: Double)] = [
        ([.leftEar, .rightEar], 0.075), ([.leftEye, .rightEye], 0.065), ([.nose], 0.086), ([.neck], 0.182),
    ]
}

/// What a human body can do; a value beyond these bounds is an error of the recording, and is left out with the reason.
enum BodyLimits {
    /// Steps per minute: the slowest walking of patients, and a tenth more than the 5 steps a second of elite sprinters
    /// (Salo et al., Med Sci Sports Exerc 43, 2011).
    static let cadence = 20.0...330
    /// Metres per second: the fastest stretch ever measured (12.3; Graubner and Nixdorf, New Studies in Athletics 26, 2011).
    static let speed = 0.05...12.5
    /// Metres: shuffling, and the longest steps of the same sprint (2.8).
    static let stepLength = 0.05...3.0
    /// Metres: the highest standing jump (1.22) with a margin for the scale; the shortest is noise.
    static let jump = 0.01...1.3
    /// Seconds: the flight of such a jump, from h = g t²/8.
    static let flight = 0.09...1.03
    /// Degrees per second: elbows of pitchers reach 2,500 (Fleisig et al., J Biomech 32, 1999), and no other joint more in
    /// a plane.
    static let angularVelocity = -3000.0...3000
    /// Degrees of flexion, or of abduction: the norms of the American Academy of Orthopaedic Surgeons (1965) and what
    /// gymnasts and dancers reach beyond them, with 20 degrees for projection.
    private static let ranges: [(joint: String, range: ClosedRange<Double>)] = [
        ("ankle", -90...75), ("knee", -40...180), ("hip abduction", -60...120), ("hip", -80...170),
        ("elbow", -40...180), ("shoulder abduction", -100...250), ("shoulder", -140...270),
    ]

    /// The bounds of an angle by its name; nil for segments and levels, which turn freely.
    static func range(of angle: String) -> ClosedRange<Double>? {
        ranges.first { angle.hasSuffix(" \($0.joint)") }?.range
    }

    /// Why a value is left out; nil if it is possible.
    static func objection(_ what: String, _ value: Double?, _ bounds: ClosedRange<Double>, _ unit: String) -> String? {
        guard let value, !bounds.contains(value) else { return nil }
        func text(_ value: Double) -> String { value.text(abs(value) < 10 ? 2 : 0) }
        let limit =
            value < bounds.lowerBound ? "less than \(text(bounds.lowerBound))" : "more than \(text(bounds.upperBound))"
        return "\(what) of \(text(value)) \(unit) is left out: \(limit) is not possible"
    }
}

/// The centre of mass of the body from its segments.
///
/// Masses and centres are the means of women and men of de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia
/// parameters", J. Biomech. 29 (1996), table 4: the trunk from the midpoint of the shoulders to that of the hips, the
/// head at the ears, where its centre lies in the side view.
enum CentreOfMass {
    private struct Segment {
        /// The share of the body's mass, and the fraction of the way from the first joint to the second.
        var mass, centre: Double
        /// The joints at both ends, and their substitutes: the other side's, or the joint that is always present.
        var pairs: [(from: JointKey, to: JointKey)]

        init(mass: Double, centre: Double, from: JointKey, to: JointKey, orElse other: JointKey? = nil) {
            (self.mass, self.centre) = (mass, centre)
            pairs = [(from, to), (other ?? from.mirrored, other ?? to.mirrored)]
        }
    }

    private static let segments: [Segment] =
        [
            Segment(mass: 0.0681, centre: 0.5, from: .leftEar, to: .rightEar, orElse: .nose),
            Segment(mass: 0.4302, centre: 0.4046, from: .neck, to: .root),
        ]
        + LimbJoints.both.flatMap { side in
            [
                Segment(mass: 0.0263, centre: 0.5763, from: side.shoulder, to: side.elbow),
                // The hand's mass is at the wrist.
                Segment(mass: 0.0150, centre: 0.4567, from: side.elbow, to: side.wrist),
                Segment(mass: 0.0059, centre: 1, from: side.elbow, to: side.wrist),
                Segment(mass: 0.1447, centre: 0.3854, from: side.hip, to: side.knee),
                Segment(mass: 0.0457, centre: 0.4438, from: side.knee, to: side.ankle),
                Segment(mass: 0.0133, centre: 0.4215, from: side.heel, to: side.toe, orElse: side.ankle),
            ]
        }
    /// The least share of mass that must be seen: trunk, head and both legs.
    private static let leastMass = 0.85

    /// The centre of mass over time; a hidden segment takes the position of the other side's.
    static func path(_ track: MeasuredTrack) -> JointPath {
        var result = JointPath(x: [], y: [], confidence: [])
        for index in 0..<track.count {
            var (sum, mass, confidence) = (SIMD2<Double>.zero, 0.0, 0.0)
            for segment in segments {
                for (from, to) in segment.pairs {
                    guard let start = track.position(from, index), let end = track.position(to, index) else { continue }
                    sum += segment.mass * (start + segment.centre * (end - start))
                    mass += segment.mass
                    confidence += segment.mass * track.confidence([from, to], index)
                    break
                }
            }
            let isKnown = mass >= leastMass
            result.x.append(isKnown ? sum.x / mass : .nan)
            result.y.append(isKnown ? sum.y / mass : .nan)
            result.confidence.append(isKnown ? confidence / mass : 0)
        }
        return result
    }
}
