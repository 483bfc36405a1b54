/// How to choose one pose among several.
public enum PoseSelectionStrategy: Hashable, Sendable, Codable {
    /// The pose with the largest box around its joints.
    case maximumBoundingBoxArea
    /// The pose that owns the highest joint in the picture.
    case highestJointLocation
    /// The pose that owns the lowest joint in the picture.
    case lowestJointLocation
    /// The pose that owns the leftmost joint in the picture.
    case leftmostJointLocation
    /// The pose that owns the rightmost joint in the picture.
    case rightmostJointLocation
    /// The pose of one tracked person, by `Pose.id`; no pose while that person is out of view.
    case person(Int)
    /// The most prominent person for as long as that person is in view, instead of whoever is largest in each frame.
    ///
    /// Only over a stream: applied to the poses of a single frame it is `maximumBoundingBoxArea`.
    case mostProminentTrack
}
