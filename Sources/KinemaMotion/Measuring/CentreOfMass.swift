import KinemaCore

/// The centre of mass of the body from its segments.
///
/// Masses and centres are the means of women and men of de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia
/// parameters", J. Biomech. 29 (1996), table 4: the trunk from the middle of the shoulders to that of the hips, the head
/// at the ears, where its centre lies in the side view.
enum CentreOfMass {
    private struct Segment {
        /// The share of the body's mass.
        var mass: Double
        /// The share of the way from the first joint to the second.
        var centre: Double
        var from, to: JointKey
        /// What stands in for it: the joint that is always there when a hand or a foot is not.
        var other: (from: JointKey, to: JointKey)?
    }

    private static let segments: [Segment] =
        [
            Segment(mass: 0.0681, centre: 0.5, from: .leftEar, to: .rightEar, other: (.nose, .nose)),
            Segment(mass: 0.4302, centre: 0.4046, from: .neck, to: .root),
        ]
        + zip(LimbJoints.both, LimbJoints.both.reversed()).flatMap { side, other in
            [
                Segment(
                    mass: 0.0263, centre: 0.5763, from: side.shoulder, to: side.elbow,
                    other: (other.shoulder, other.elbow)),
                // The hand is at the wrist.
                Segment(
                    mass: 0.0150, centre: 0.4567, from: side.elbow, to: side.wrist, other: (other.elbow, other.wrist)),
                Segment(mass: 0.0059, centre: 1, from: side.elbow, to: side.wrist, other: (other.elbow, other.wrist)),
                Segment(mass: 0.1447, centre: 0.3854, from: side.hip, to: side.knee, other: (other.hip, other.knee)),
                Segment(
                    mass: 0.0457, centre: 0.4438, from: side.knee, to: side.ankle, other: (other.knee, other.ankle)),
                Segment(mass: 0.0133, centre: 0.4215, from: side.heel, to: side.toe, other: (side.ankle, side.ankle)),
            ]
        }

    /// The least mass that must be seen: trunk, head and both legs.
    private static let leastMass = 0.85

    /// The course of the centre of mass; a segment that is not seen takes the place of the other side's.
    static func path(_ track: MeasuredTrack) -> JointPath {
        var result = JointPath(x: [], y: [], confidence: [])
        for index in 0..<track.count {
            var (sum, mass, confidence) = (SIMD2<Double>.zero, 0.0, 0.0)
            for segment in segments {
                let pairs = [(segment.from, segment.to)] + (segment.other.map { [($0.from, $0.to)] } ?? [])
                for (from, to) in pairs {
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
