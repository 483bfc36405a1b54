import Foundation
import Kinema

/// Which joints a count looks at.
struct JointChoice: Sendable {
    /// What leaves the others out; nil when all are looked at.
    let selector: JointsSelector?

    /// Leaves joints out or keeps only some; with neither all are looked at.
    init(ignored: [String] = [], selected: [String] = []) {
        if !ignored.isEmpty {
            selector = JointsSelector(ignoredJoints: ignored.map(JointKey.init(rawValue:)))
        } else if !selected.isEmpty {
            selector = JointsSelector(selectedJoints: selected.map(JointKey.init(rawValue:)))
        } else {
            selector = nil
        }
    }

    /// The pose with only the chosen joints.
    func applied(to pose: Pose) -> Pose {
        selector?.applied(to: pose) ?? pose
    }

    /// Whether a person of whom only these joints are looked at can be counted.
    var canCount: Bool {
        let all = Pose(
            from: Dictionary(
                uniqueKeysWithValues: BodySkeleton.joints.map { ($0, JointPoint($0, location: .zero, confidence: 1)) }))
        let kept = applied(to: all).keypoints.filter { $0.value.confidence > 0 }
        return RepetitionCounter.canCount(joints: Set(kept.keys))
    }
}
