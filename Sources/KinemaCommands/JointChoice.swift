import Foundation
import Kinema

struct JointChoice: Sendable {
    let selector: JointsSelector?

    /// Ignores joints or keeps only some; with neither, uses all.
    init(ignored: [String] = [], selected: [String] = []) {
        if !ignored.isEmpty {
            selector = JointsSelector(ignoredJoints: ignored.map(JointKey.init(rawValue:)))
        } else if !selected.isEmpty {
            selector = JointsSelector(selectedJoints: selected.map(JointKey.init(rawValue:)))
        } else {
            selector = nil
        }
    }

    func applied(to pose: Pose) -> Pose {
        selector?.applied(to: pose) ?? pose
    }

    /// Whether repetitions can be counted from these joints alone.
    var canCount: Bool {
        let all = Pose(
            from: Dictionary(
                uniqueKeysWithValues: BodySkeleton.joints.map { ($0, JointPoint($0, location: .zero, confidence: 1)) }))
        let kept = applied(to: all).keypoints.filter { $0.value.confidence > 0 }
        return RepetitionCounter.canCount(joints: Set(kept.keys))
    }
}
