public import Foundation
public import KinemaCore
public import KinemaMedia

/// A request for the analysis of an image, as in Vision's Swift API.
public protocol ImageProcessingRequest: Sendable, Hashable {
    /// The type of the request's result.
    associatedtype Result: Sendable

    /// The part of the image to analyse, 0...1, origin at the lower left.
    var regionOfInterest: NormalizedRect { get set }

    /// Performs the request on a frame.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    func perform(on frame: VideoFrame) async throws -> Result
}

/// A request that keeps state between frames: create one per stream and pass it the frames in order.
public protocol StatefulRequest: ImageProcessingRequest {
    /// The minimum time between analysed frames in seconds; frames that follow sooner are skipped.
    var frameAnalysisSpacing: TimeInterval { get }

    /// The number of frames the request needs before its first result.
    var minimumLatencyFrameCount: Int { get }
}

/// Detects the bodies of all people in an image.
///
/// Each call is independent. To track people through a video, use `HumanBodyPoseExtractor`, which is faster.
public struct DetectHumanBodyPoseRequest: ImageProcessingRequest {
    /// The revisions of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The current revision.
        case revision2
    }

    /// The revision in use.
    public let revision: Revision
    /// The part of the image in which a body's hip centre must lie, 0...1, origin at the lower left.
    public var regionOfInterest = NormalizedRect.fullImage
    /// The options of the search for bodies; images are also searched for small people.
    public var options: BodyPoseOptions
    /// Whether to detect each person's hands, as `leftHand` and `rightHand` of the observation.
    public var detectsHands = true

    /// The supported revisions.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Creates a request.
    public init(_ revision: Revision? = nil) {
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
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanBodyPoseObservation] {
        try Task.checkCancellation()
        var tracker = try BodyPoseTracker(options: options, isSingleFrame: true)
        let poses = try tracker.update(frame)
            .filter { pose in
                guard let root = pose.keypoints[.root]?.location else { return false }
                return regionOfInterest == .fullImage || regionOfInterest.cgRect.contains(root)
            }
            .sorted { $0.confidence > $1.confidence }
        let range = frame.isPicture ? nil : frame.id.rangeInSeconds
        var people = poses.map { pose in
            // Numbers have no meaning in a single image.
            var pose = pose
            pose.id = nil
            return HumanBodyPoseObservation(pose, timeRange: range)
        }
        if detectsHands { try attachHands(to: &people, in: frame) }
        return people
    }

    private func attachHands(to people: inout [HumanBodyPoseObservation], in frame: VideoFrame) throws {
        guard !people.isEmpty else { return }
        var tracker = try HandPoseTracker(
            options: HandPoseOptions(maximumHandCount: 2 * people.count, precision: options.precision),
            isSingleFrame: true)
        let poses = people.map(\.pose)
        let hands = try tracker.update(frame, people: poses)
        let aspectRatio = Double(frame.width) / Double(frame.height)
        for (hand, wrist) in zip(hands, HandAssignment(hands, to: poses, aspectRatio: aspectRatio).wrists) {
            guard let wrist else { continue }
            var hand = hand
            hand.pose.id = nil
            switch wrist.side {
            case .left: people[wrist.person].leftHand = hand
            case .right: people[wrist.person].rightHand = hand
            }
        }
    }
}

/// Detects the hands in an image.
///
/// Each call is independent. To track hands through a video, use `HumanHandPoseExtractor`, which is faster.
public struct DetectHumanHandPoseRequest: ImageProcessingRequest {
    /// The revisions of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The current revision.
        case revision1
    }

    /// The revision in use.
    public let revision: Revision
    /// The part of the image in which a hand's wrist must lie, 0...1, origin at the lower left.
    public var regionOfInterest = NormalizedRect.fullImage
    /// The maximum number of hands; larger hands take precedence. The default is 2.
    public var maximumHandCount = 2

    /// The supported revisions.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Creates a request.
    public init(_ revision: Revision? = nil) {
        self.revision = revision ?? .revision1
    }

    /// The supported joints.
    public var supportedJointNames: [HumanHandPoseObservation.JointName] { HumanHandPoseObservation.JointName.allCases }
    /// The supported groups of joints.
    public var supportedJointsGroupNames: [HumanHandPoseObservation.JointsGroupName] {
        HumanHandPoseObservation.JointsGroupName.allCases
    }

    /// The hands in a frame, the largest first.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanHandPoseObservation] {
        try Task.checkCancellation()
        let isWhole = regionOfInterest == .fullImage
        // A region of interest needs a higher maximum, since hands outside it are found and dropped.
        var tracker = try HandPoseTracker(
            options: HandPoseOptions(maximumHandCount: isWhole ? maximumHandCount : max(maximumHandCount, 16)),
            isSingleFrame: true)
        let hands = try tracker.update(frame).filter { hand in
            guard let wrist = hand.pose.keypoints[.wrist]?.location else { return false }
            return isWhole || regionOfInterest.cgRect.contains(wrist)
        }
        return hands.prefix(max(0, maximumHandCount)).map { hand in
            // Numbers have no meaning in a single image.
            var hand = hand
            hand.pose.id = nil
            return hand
        }
    }
}
