import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// Detects the joints of the most prominent person in space.
///
/// Each frame is searched anew; as in Vision, the request remembers the time of the last search.
public final class DetectHumanBodyPose3DRequest: StatefulRequest {
    /// The revision in use.
    public let revision: FirstRevision
    /// The minimum time between analysed frames; frames that follow sooner give an empty result.
    public let frameAnalysisSpacing: CMTime
    private let frames = Mutex(DueFrames())

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectHumanBodyPose3DRequest(revision) }

    /// Creates a request; without a spacing every frame is analysed.
    public init(_ revision: FirstRevision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.revision = revision ?? .revision1
        self.frameAnalysisSpacing = frameAnalysisSpacing ?? .zero
    }

    /// The part of the image to analyse, 0...1, origin at the lower left; points in the image are relative to it.
    public var regionOfInterest: NormalizedRect {
        get { frames.withLock { $0.region } }
        set { frames.withLock { $0.region = newValue } }
    }

    /// The supported joints.
    public var supportedJointNames: [HumanBodyPose3DObservation.JointName] {
        HumanBodyPose3DObservation.JointName.allCases
    }

    /// The supported groups of joints.
    public var supportedJointsGroupNames: [HumanBodyPose3DObservation.JointsGroupName] {
        HumanBodyPose3DObservation.JointsGroupName.allCases
    }

    /// The person with the largest bounding box in a frame, or nobody.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanBodyPose3DObservation] { try bodies(in: frame) }

    package func bodies(in frame: VideoFrame) throws -> [HumanBodyPose3DObservation] {
        guard frames.withLock({ $0.take(frame, after: frameAnalysisSpacing) }) else { return [] }
        let part = try frame.cropped(to: regionOfInterest)
        let largest = try BodyPoseTracker.poses(in: part, options: BodyPoseOptions())
            .max { $0.boundingBoxArea() < $1.boundingBoxArea() }
        var body = largest.flatMap { pose in
            HumanBodyPose3DObservation(pose, width: part.width, height: part.height, timeRange: frame.timeRange)
        }
        body?.originatingRequestDescriptor = descriptor
        return body.map { [$0] } ?? []
    }
}
