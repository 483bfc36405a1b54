package import Foundation
package import KinemaCore

/// Classifies a throw by the thrower's movement.
package protocol ThrowTypeClassifier: Sendable {
    /// Returns the type of a throw; nil if the movement does not show it.
    ///
    /// `poses` are the thrower's around the release, in order of time (seconds); `aspectRatio` is width / height.
    func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction?
}
