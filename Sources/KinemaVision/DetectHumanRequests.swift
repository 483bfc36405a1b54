public import KinemaPose
import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// Detects the bodies of all people in an image; for video use `HumanBodyPoseExtractor`.
public struct DetectHumanBodyPoseRequest: ImageProcessingRequest {
    /// The revision in use.
    public let revision: SecondRevision
    /// The part of the image to analyse, 0...1, origin at the lower left; joints are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// The options of the search for bodies; images are also searched for small people.
    public var options: BodyPoseOptions
    /// Whether to detect each person's hands, as `leftHand` and `rightHand` of the observation.
    public var detectsHands = true

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectHumanBodyPoseRequest(revision) }

    /// Creates a request.
    public init(_ revision: SecondRevision? = nil) {
        self.revision = revision ?? .revision2
        options = BodyPoseOptions()
    }

    /// The supported joints.
    public var supportedJointNames: [HumanBodyPoseObservation.JointName] { HumanBodyPoseObservation.JointName.allCases }

    /// The supported groups of joints.
    public var supportedJointsGroupNames: [HumanBodyPoseObservation.JointsGroupName] {
        HumanBodyPoseObservation.JointsGroupName.allCases
    }

    /// The bodies in a frame, highest confidence first.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanBodyPoseObservation] { try bodies(in: frame) }

    package func bodies(in frame: VideoFrame) throws -> [HumanBodyPoseObservation] {
        let part = try frame.cropped(to: regionOfInterest)
        let range = frame.timeRange
        var people = try BodyPoseTracker.poses(in: part, options: options).map { pose in
            var person = HumanBodyPoseObservation(pose, timeRange: range)
            person.originatingRequestDescriptor = descriptor
            return person
        }
        if detectsHands { try attachHands(to: &people, in: part) }
        return people
    }

    private func attachHands(to people: inout [HumanBodyPoseObservation], in frame: VideoFrame) throws {
        guard !people.isEmpty else { return }
        var tracker = try HandPoseTracker(
            options: HandPoseOptions(maximumHandCount: 2 * people.count, precision: options.precision),
            mode: .picture)
        let poses = people.map(\.pose)
        let hands = try tracker.update(frame, people: poses)
        let aspectRatio = Double(frame.width) / Double(frame.height)
        for (hand, wrist) in zip(hands, HandAssignment(hands, to: poses, aspectRatio: aspectRatio).wrists) {
            guard let wrist else { continue }
            var hand = hand
            hand.pose.id = nil
            hand.originatingRequestDescriptor = descriptor
            switch wrist.side {
            case .left: people[wrist.person].leftHand = hand
            case .right: people[wrist.person].rightHand = hand
            }
        }
    }
}

extension BodyPoseTracker {
    /// The people in a single picture, highest confidence first, without numbers, which have no meaning there.
    static func poses(in frame: VideoFrame, options: BodyPoseOptions) throws -> [Pose] {
        try Task.checkCancellation()
        var tracker = try BodyPoseTracker(options: options, mode: .picture)
        return try tracker.update(frame).sorted { $0.confidence > $1.confidence }
            .map { pose in
                var pose = pose
                pose.id = nil
                return pose
            }
    }
}

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

/// Detects the rectangles around all people in an image.
public struct DetectHumanRectanglesRequest: ImageProcessingRequest {
    /// The revision in use.
    public let revision: SecondRevision
    /// The part of the image to analyse, 0...1, origin at the lower left; rectangles are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage
    /// Whether rectangles end at the hips; true by default.
    public var upperBodyOnly = true

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectHumanRectanglesRequest(revision) }

    /// Creates a request.
    public init(_ revision: SecondRevision? = nil) { self.revision = revision ?? .revision2 }

    /// The people in a frame, highest confidence first.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanObservation] { try people(in: frame) }

    package func people(in frame: VideoFrame) throws -> [HumanObservation] {
        let part = try frame.cropped(to: regionOfInterest)
        return try BodyPoseTracker.poses(in: part, options: BodyPoseOptions()).compactMap { pose in
            HumanObservation(
                pose, aspectRatio: Double(part.width) / Double(part.height), isUpperBodyOnly: upperBodyOnly,
                timeRange: frame.timeRange, from: descriptor)
        }
    }
}

/// Detects the rectangles around all faces in an image.
public struct DetectFaceRectanglesRequest: ImageProcessingRequest {
    /// The revision in use.
    public let revision: ThirdRevision
    /// The part of the image to analyse, 0...1, origin at the lower left; rectangles are relative to it.
    public var regionOfInterest = NormalizedRect.fullImage

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectFaceRectanglesRequest(revision) }

    /// Creates a request.
    public init(_ revision: ThirdRevision? = nil) { self.revision = revision ?? .revision3 }

    /// The faces in a frame, highest confidence first.
    ///
    /// Throws `.missingComponent` without the inference library or the model, `.analysisFailed` when inference fails.
    public func perform(on frame: VideoFrame) async throws -> [FaceObservation] { try faces(in: frame) }

    package func faces(in frame: VideoFrame) throws -> [FaceObservation] {
        let part = try frame.cropped(to: regionOfInterest)
        return try AnchorDetector.faces(store: .shared, precision: .automatic).detect(in: part).compactMap { face in
            let box = face.box / SIMD4(lowHalf: part.size, highHalf: part.size)
            return FaceObservation(
                NormalizedRect(x: box.x, y: 1 - box.w, width: box.z - box.x, height: box.w - box.y),
                confidence: face.score, timeRange: frame.timeRange, from: descriptor)
        }
    }
}
