import Foundation
import KinemaCore

extension BodyLandmarks {
    /// A PoseNet pose as far as following people needs it: its joints at BlazePose's numbers, the others invisible.
    init(_ pose: Pose, width: Int, height: Int) {
        let size = SIMD2(Double(width), Double(height))
        var points = [SIMD2<Double>](repeating: size / 2, count: Self.count)
        var visibility = [Float](repeating: 0, count: Self.count)
        for (index, key) in BlazePoseSkeleton.joints.enumerated() {
            guard let joint = pose.keypoints[key] else { continue }
            points[index] = SIMD2(joint.location.x, 1 - joint.location.y) * size
            visibility[index] = joint.confidence
        }
        let clear = points.indices.filter { visibility[$0] >= 0.3 }
        let shown = clear.isEmpty ? Array(points.indices) : clear
        // Shoulders and hips stay while arms and legs move.
        let trunk = [11, 12, 23, 24].filter(shown.contains)
        let steady = (trunk.isEmpty ? shown : trunk).map { points[$0] }
        let middle = steady.reduce(.zero, +) / Double(steady.count)
        let corners = shown.reduce((low: points[shown[0]], high: points[shown[0]])) { box, index in
            (pointwiseMin(box.low, points[index]), pointwiseMax(box.high, points[index]))
        }
        // About half the person's height, as BlazePose's own circle tells it.
        let reach = max(1, (corners.high - corners.low).max() / 2)
        self.init(
            region: Region(center: middle, side: 2.5 * reach, angle: 0), presence: pose.confidence, points: points,
            visibility: visibility, pointPresence: visibility, world: [], score: pose.confidence, middle: middle,
            rim: middle - SIMD2(0, reach))
    }
}
