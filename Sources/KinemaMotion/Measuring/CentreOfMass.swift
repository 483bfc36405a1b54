import KinemaCore

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
