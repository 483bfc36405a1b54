import Foundation
public import KinemaCore
public import KinemaMedia

/// Detects and tracks the body poses of all people in a frame.
///
/// Pass the frames of a stream in order: people keep their number (`Pose.id`), and tracking restarts when time goes
/// back. An extractor can serve several streams at once.
public struct HumanBodyPoseExtractor: Transformer, Sendable {
    private let trackers: TrackerCache<BodyPoseTracker>

    /// Creates an extractor.
    public init(options: BodyPoseOptions = BodyPoseOptions()) {
        trackers = TrackerCache { try BodyPoseTracker(options: options) }
    }

    /// The poses of all people in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    package func poses(in frame: VideoFrame) throws -> [Pose] {
        var poses = try trackers.update(frame)
        let size = CGSize(width: frame.width, height: frame.height)
        for index in poses.indices { poses[index].imageSize = size }
        return poses
    }
}
