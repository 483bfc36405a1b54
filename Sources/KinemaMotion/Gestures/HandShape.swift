public import Foundation
public import KinemaCore

/// How a hand holds thumb and index finger, in hand lengths (wrist to the middle finger's knuckle), so that it means the
/// same at any distance from the camera.
public struct HandShape: Sendable, Hashable {
    /// The tip of the thumb: normalised, origin at the lower left.
    public var thumbTip: CGPoint
    /// The tip of the index finger: normalised, origin at the lower left.
    public var indexTip: CGPoint
    /// How far the tips are apart, hand lengths.
    public var gap: Double
    /// How far out the tips are: from the index finger's knuckle to the middle between them, hand lengths.
    public var reach: Double
    /// The hand's length as seen, in heights of the picture.
    public var length: Double

    /// Makes a shape from tips (normalised) and measures in hand lengths; the hand's own length is in picture heights.
    public init(thumbTip: CGPoint, indexTip: CGPoint, gap: Double, reach: Double, length: Double) {
        self.thumbTip = thumbTip
        self.indexTip = indexTip
        self.gap = gap
        self.reach = reach
        self.length = length
    }

    /// Measures a hand in a picture of that width divided by height; nil when a joint it needs is missing or no surer
    /// than `confidenceThreshold` (0.3 in the HandPose sample).
    ///
    /// Tips that touch are close in the picture and in space, so with 3D joints the larger of both distances counts:
    /// either by itself is often small by mistake, the picture's when the fingers point at the camera.
    public init?(_ hand: Pose, aspectRatio: Double, confidenceThreshold: Float = 0.3) {
        func flat(_ key: JointKey) -> SIMD3<Double>? {
            guard let joint = hand.keypoints[key], joint.confidence > confidenceThreshold,
                joint.location.x.isFinite, joint.location.y.isFinite
            else { return nil }
            return SIMD3(joint.location.x * aspectRatio, joint.location.y, 0)
        }
        guard let thumb = flat(.thumbTip), let index = flat(.indexTip), let planar = Palm(at: flat) else { return nil }
        thumbTip = CGPoint(x: thumb.x / aspectRatio, y: thumb.y)
        indexTip = CGPoint(x: index.x / aspectRatio, y: index.y)
        let solid = Palm { key in hand.keypoints3D[key].map { SIMD3<Double>($0.position) } }
        guard let solid, let thumb3 = hand.keypoints3D[.thumbTip], let index3 = hand.keypoints3D[.indexTip],
            let scale = Self.scale(of: hand, aspectRatio)
        else {
            length = planar.length
            gap = distance(thumb, index) / length
            // A tilted hand looks short; the index finger then does too, and tells how far out it really is.
            let joints = [JointKey.indexMCP, .indexPIP, .indexDIP, .indexTip].compactMap(flat)
            let finger = zip(joints, joints.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
            let middle = (thumb + index) / 2
            reach = distance(middle, planar.indexKnuckle) / max(min(length, finger / 0.8), 1e-9)
            return
        }
        let (a, b) = (SIMD3<Double>(thumb3.position), SIMD3<Double>(index3.position))
        length = solid.length * scale
        gap = max(distance(a, b) / solid.length, distance(thumb, index) / length)
        reach = distance((a + b) / 2, solid.indexKnuckle) / solid.length
    }

    /// How many picture heights a metre of this hand is: from the spread of all joints around their middle.
    private static func scale(of hand: Pose, _ aspectRatio: Double) -> Double? {
        var (seen, solid): ([SIMD3<Double>], [SIMD3<Double>]) = ([], [])
        for key in HandSkeleton.joints {
            guard let joint = hand.keypoints[key], let joint3D = hand.keypoints3D[key] else { continue }
            seen.append(SIMD3(joint.location.x * aspectRatio, joint.location.y, 0))
            solid.append(SIMD3(Double(joint3D.position.x), Double(joint3D.position.y), 0))
        }
        func spread(_ points: [SIMD3<Double>]) -> Double {
            let middle = points.reduce(.zero, +) / Double(max(1, points.count))
            return points.reduce(0) { $0 + (($1 - middle) * ($1 - middle)).sum() }.squareRoot()
        }
        let (wide, metres) = (spread(seen), spread(solid))
        return wide > 0 && metres > 0 && wide.isFinite && metres.isFinite ? wide / metres : nil
    }
}

/// The rigid part of a hand.
private struct Palm {
    let indexKnuckle: SIMD3<Double>
    /// From the wrist to the middle finger's knuckle.
    let length: Double

    /// Nil when a joint is missing or the palm has no extent.
    init?(at place: (JointKey) -> SIMD3<Double>?) {
        guard let wrist = place(.wrist), let index = place(.indexMCP), let middle = place(.middleMCP) else {
            return nil
        }
        indexKnuckle = index
        // Seen from the fingers' side the palm looks short; its width then tells how long it is (adult hands: the
        // knuckles of index and little finger lie 0.6 palm lengths apart).
        let width = place(.littleMCP).map { distance($0, index) / 0.6 } ?? 0
        length = max(distance(middle, wrist), width * 0.8)
        guard length > 0, length.isFinite else { return nil }
    }
}

private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    ((a - b) * (a - b)).sum().squareRoot()
}
