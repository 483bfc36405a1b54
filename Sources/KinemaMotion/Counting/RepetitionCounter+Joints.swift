import Foundation
package import KinemaCore

extension RepetitionCounter {
    /// Whether a body of which only these joints are looked at could be counted at all.
    ///
    /// Asked of the counter's own reading of a body whose joints are all in clear view.
    package static func canCount(joints: Set<JointKey>) -> Bool {
        let points = BodyJoints.keys.enumerated().map { index, key in
            // Anywhere, as long as no two lie together.
            JointPoint(
                key, location: CGPoint(x: 0.3 + 0.03 * Double(index), y: 0.2 + 0.05 * Double(index)),
                confidence: joints.contains(key) ? 1 : 0)
        }
        let pose = Pose(from: Dictionary(points.map { ($0.key, $0) }) { first, _ in first })
        return BodyJoints(pose, aspectRatio: 1)?.torsoLength != nil
    }
}
