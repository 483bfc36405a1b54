import Foundation
import KinemaCore

extension BodyLandmarks {
    /// The pose in Kinema's terms: normalised to a picture of the given size, origin at the lower left.
    func pose(id: Int?, width: Int, height: Int) -> Pose {
        var keypoints: [JointKey: JointPoint] = Dictionary(minimumCapacity: 40)
        var keypoints3D: [JointKey: JointPoint3D] = Dictionary(minimumCapacity: 40)
        func add(_ key: JointKey, _ point: SIMD2<Double>, _ position: SIMD3<Float>, _ confidence: Float) {
            let location = CGPoint(x: point.x / Double(width), y: 1 - point.y / Double(height))
            keypoints[key] = JointPoint(key, location: location, confidence: confidence)
            keypoints3D[key] = JointPoint3D(key, position: position, confidence: confidence)
        }
        for (index, key) in BlazePoseSkeleton.joints.enumerated() {
            add(key, points[index], world[index], confidence(index))
        }
        for (key, (a, b)) in BlazePoseSkeleton.middles {
            add(key, (points[a] + points[b]) / 2, (world[a] + world[b]) / 2, min(confidence(a), confidence(b)))
        }
        return Pose(from: keypoints, keypoints3D: keypoints3D, id: id, confidence: score)
    }
}
