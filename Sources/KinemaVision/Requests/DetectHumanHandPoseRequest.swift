import Foundation
public import KinemaCore
public import KinemaMedia

/// Detects the hands in an image; for video use `HumanHandPoseExtractor`.
public struct DetectHumanHandPoseRequest: ImageProcessingRequest {
    /// The revision in use.
    public let revision: FirstRevision
    /// The part of the image to analyse, 0...1, origin at the lower left; joints are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// The maximum number of hands; larger hands take precedence. The default is 2.
    public var maximumHandCount = 2

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectHumanHandPoseRequest(revision) }

    /// Creates a request.
    public init(_ revision: FirstRevision? = nil) { self.revision = revision ?? .revision1 }

    /// The supported joints.
    public var supportedJointNames: [HumanHandPoseObservation.JointName] { HumanHandPoseObservation.JointName.allCases }
    /// The supported groups of joints.
    public var supportedJointsGroupNames: [HumanHandPoseObservation.JointsGroupName] {
        HumanHandPoseObservation.JointsGroupName.allCases
    }

    /// The hands in a frame, the largest first.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanHandPoseObservation] { try hands(in: frame) }

    package func hands(in frame: VideoFrame) throws -> [HumanHandPoseObservation] {
        try Task.checkCancellation()
        var tracker = try HandPoseTracker(
            options: HandPoseOptions(maximumHandCount: maximumHandCount), mode: .picture)
        return try tracker.update(frame.cropped(to: regionOfInterest)).map { hand in
            // Numbers have no meaning in a single image.
            var hand = hand
            hand.pose.id = nil
            hand.originatingRequestDescriptor = descriptor
            return hand
        }
    }
}
