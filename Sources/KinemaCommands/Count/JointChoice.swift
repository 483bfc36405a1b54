import Foundation
import Kinema

/// Which joints a count looks at.
struct JointChoice: Sendable {
    private let selector: JointsSelector?

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
}
