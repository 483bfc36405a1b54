import Foundation
import KinemaCore

extension HandLandmarks {
    /// The pose in Kinema's terms: normalised to a picture of the given size, origin at the lower left.
    ///
    /// The model says how sure it is of the hand, not of each joint, so all joints have the hand's confidence.
    func pose(id: Int?, width: Int, height: Int) -> Pose {
        var keypoints: [JointKey: JointPoint] = Dictionary(minimumCapacity: 24)
        var keypoints3D: [JointKey: JointPoint3D] = Dictionary(minimumCapacity: 24)
        for (index, key) in HandSkeleton.joints.enumerated() {
            let location = CGPoint(x: points[index].x / Double(width), y: 1 - points[index].y / Double(height))
            keypoints[key] = JointPoint(key, location: location, confidence: presence)
            keypoints3D[key] = JointPoint3D(key, position: world[index], confidence: presence)
        }
        return Pose(from: keypoints, keypoints3D: keypoints3D, id: id, confidence: presence)
    }
}
