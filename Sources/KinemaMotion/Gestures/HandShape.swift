import Foundation
import KinemaCore

/// The geometry of thumb and index finger, in hand lengths (wrist to middle knuckle), independent of distance.
struct HandShape: Sendable, Hashable {
    /// The tips of thumb and index finger: normalised, origin at the lower left.
    var thumbTip, indexTip: CGPoint
    /// The distance between the tips, in hand lengths.
    var gap: Double
    /// The distance from the index finger's knuckle to the midpoint of the tips, in hand lengths.
    var reach: Double
    /// The apparent length of the hand, in picture heights.
    var length: Double
    /// The distance between the tips in the picture alone, in hand lengths.
    var pictureGap: Double
    /// The distance between the tips in space, in hand lengths; that in the picture if the hand has no 3D joints.
    var spatialGap: Double
    /// The mean distance from the wrist to the other fingertips, in hand lengths: about 0.6 for a fist and 1.8 for an
    /// open hand; 0 without 3D joints.
    var stretch: Double

    /// Nearer to the picture's edge than this share of its sides, a tip may be beyond it.
    private static let edge = 0.03...0.97

    var isAtEdge: Bool {
        [thumbTip, indexTip].contains { !Self.edge.contains($0.x) || !Self.edge.contains($0.y) }
    }
}

extension HandShape {
    /// Measures a hand in a picture of the given width / height; nil if a joint is missing or does not exceed
    /// `confidenceThreshold` (0.3 in the HandPose sample).
    ///
    /// The larger of the distances in the picture and in space counts, since each alone is often too small.
    init?(_ hand: Pose, aspectRatio: Double, confidenceThreshold: Float = 0.3) {
        func flat(_ key: JointKey) -> SIMD3<Double>? {
            guard let joint = hand.keypoints[key], joint.confidence > confidenceThreshold,
                joint.location.x.isFinite, joint.location.y.isFinite
            else { return nil }
            return SIMD3(joint.location.x * aspectRatio, joint.location.y, 0)
        }
        guard let thumb = flat(.thumbTip), let index = flat(.indexTip), let planar = Palm(at: flat) else { return nil }
        thumbTip = CGPoint(x: thumb.x / aspectRatio, y: thumb.y)
        indexTip = CGPoint(x: index.x / aspectRatio, y: index.y)
        let spatial = Palm { key in hand.keypoints3D[key].map { SIMD3<Double>($0.position) } }
        guard let spatial, let thumb3 = hand.keypoints3D[.thumbTip], let index3 = hand.keypoints3D[.indexTip],
            let scale = Self.scale(of: hand, aspectRatio)
        else {
            length = planar.length
            gap = distance(thumb, index) / length
            // A tilted hand appears short, and so does its index finger, whose length corrects the reach.
            let joints = [JointKey.indexMCP, .indexPIP, .indexDIP, .indexTip].compactMap(flat)
            let finger = zip(joints, joints.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
            let midpoint = (thumb + index) / 2
            reach = distance(midpoint, planar.indexKnuckle) / max(min(length, finger / 0.8), 1e-9)
            (pictureGap, spatialGap, stretch) = (gap, gap, 0)
            return
        }
        let (a, b) = (SIMD3<Double>(thumb3.position), SIMD3<Double>(index3.position))
        length = spatial.length * scale
        pictureGap = distance(thumb, index) / length
        spatialGap = distance(a, b) / spatial.length
        gap = max(spatialGap, pictureGap)
        reach = distance((a + b) / 2, spatial.indexKnuckle) / spatial.length
        let others = [JointKey.middleTip, .ringTip, .littleTip].compactMap { hand.keypoints3D[$0]?.position }
        let wrist = hand.keypoints3D[.wrist]?.position ?? .zero
        let lengths = others.map { distance(SIMD3<Double>($0), SIMD3<Double>(wrist)) / spatial.length }
        stretch = lengths.reduce(0, +) / Double(max(1, lengths.count))
    }

    /// Picture heights per metre of this hand, from the spread of all joints around their centroid.
    private static func scale(of hand: Pose, _ aspectRatio: Double) -> Double? {
        var (planar, spatial): ([SIMD3<Double>], [SIMD3<Double>]) = ([], [])
        for key in HandSkeleton.joints {
            guard let joint = hand.keypoints[key], let joint3D = hand.keypoints3D[key] else { continue }
            planar.append(SIMD3(joint.location.x * aspectRatio, joint.location.y, 0))
            spatial.append(SIMD3(Double(joint3D.position.x), Double(joint3D.position.y), 0))
        }
        func spread(_ points: [SIMD3<Double>]) -> Double {
            let centroid = points.reduce(.zero, +) / Double(max(1, points.count))
            return points.reduce(0) { $0 + (($1 - centroid) * ($1 - centroid)).sum() }.squareRoot()
        }
        let (heights, metres) = (spread(planar), spread(spatial))
        return heights > 0 && metres > 0 && heights.isFinite && metres.isFinite ? heights / metres : nil
    }
}

private struct Palm {
    let indexKnuckle: SIMD3<Double>
    let length: Double

    /// Makes a palm; nil if a joint is missing or the palm has no extent.
    init?(at position: (JointKey) -> SIMD3<Double>?) {
        guard let wrist = position(.wrist), let index = position(.indexMCP), let middle = position(.middleMCP) else {
            return nil
        }
        indexKnuckle = index
        // A palm seen from the fingertips appears short; its width then gives its length (in adult hands the knuckles
        // of index and little finger are 0.6 palm lengths apart).
        let width = position(.littleMCP).map { distance($0, index) / 0.6 } ?? 0
        length = max(distance(middle, wrist), width * 0.8)
        guard length > 0, length.isFinite else { return nil }
    }
}
