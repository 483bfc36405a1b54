public import Foundation
public import KinemaCore
public import KinemaMedia

/// A question about one picture, as Vision's Swift-only API asks it.
public protocol ImageProcessingRequest: Sendable, Hashable {
    /// The answer.
    associatedtype Result: Sendable

    /// The part of the picture that is looked at: 0...1, origin at the lower left.
    var regionOfInterest: NormalizedRect { get set }

    /// Answers for a frame.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    func perform(on frame: VideoFrame) async throws -> Result
}

extension ImageProcessingRequest {
    /// Answers for a picture in a file; its EXIF orientation is applied.
    ///
    /// Throws `.unreadableInput` when the file is not a picture that can be read.
    public func perform(on url: URL) async throws -> Result {
        try await perform(on: ImageReader.read(contentsOf: url))
    }

    /// Answers for a picture in memory.
    public func perform(on bitmap: Bitmap) async throws -> Result {
        let id = TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1)
        return try await perform(on: VideoFrame(bitmap: bitmap, id: id))
    }
}

/// A request that remembers earlier frames: make one for a stream and give it the frames in order.
public protocol StatefulRequest: ImageProcessingRequest {
    /// Frames that follow the last analysed one by less are passed over, seconds by their own time stamps.
    var frameAnalysisSpacing: TimeInterval { get }

    /// How many frames have to be seen before the first answer can come.
    var minimumLatencyFrameCount: Int { get }
}

/// Finds the bodies of everyone in a picture.
///
/// Each call looks anew; to follow people through a video use `HumanBodyPoseExtractor`, which is faster.
public struct DetectHumanBodyPoseRequest: ImageProcessingRequest {
    /// The generations of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The only one there is.
        case revision2
    }

    /// The generation in use.
    public let revision: Revision
    /// Bodies whose middle of the hips lies outside this part of the picture are left out.
    public var regionOfInterest = NormalizedRect.fullImage
    /// How bodies are looked for; in pictures small people are looked for too.
    public var options: BodyPoseOptions
    /// Whether each person's hands are found too, as `leftHand` and `rightHand` of the observation.
    public var detectsHands = true

    /// The generations that are supported.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Makes a request.
    public init(_ revision: Revision? = nil) {
        self.revision = revision ?? .revision2
        options = BodyPoseOptions()
    }

    /// The joints that can be found.
    public var supportedJointNames: [HumanBodyPoseObservation.JointName] { HumanBodyPoseObservation.JointName.allCases }

    /// The groups of joints.
    public var supportedJointsGroupNames: [HumanBodyPoseObservation.JointsGroupName] {
        HumanBodyPoseObservation.JointsGroupName.allCases
    }

    /// The bodies in a frame, the surest first.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func perform(on frame: VideoFrame) async throws -> [HumanBodyPoseObservation] {
        try Task.checkCancellation()
        var tracker = try BodyPoseTracker(options: options, looksOnce: true)
        let poses = try tracker.update(frame)
            .filter { pose in
                guard let root = pose.keypoints[.root]?.location else { return false }
                return regionOfInterest == .fullImage || regionOfInterest.cgRect.contains(root)
            }
            .sorted { $0.confidence > $1.confidence }
        let range = frame.isPicture ? nil : frame.id.rangeInSeconds
        var people = poses.map { pose in
            // A picture by itself has no people to tell apart over time.
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
            looksOnce: true)
        let hands = try tracker.update(frame, people: people.map(\.pose))
        let aspectRatio = Double(frame.width) / Double(frame.height)
        for (hand, place) in zip(hands, HandOwners(hands, of: people.map(\.pose), aspectRatio: aspectRatio).places) {
            guard let place else { continue }
            var hand = hand
            hand.pose.id = nil
            switch place.side {
            case .left: people[place.person].leftHand = hand
            case .right: people[place.person].rightHand = hand
            }
        }
    }
}

/// Finds the hands in a picture.
///
/// Each call looks anew; to follow hands through a video use `HumanHandPoseExtractor`, which is faster.
public struct DetectHumanHandPoseRequest: ImageProcessingRequest {
    /// The generations of the request.
    public enum Revision: String, Sendable, Hashable, CaseIterable, Codable {
        /// The only one there is.
        case revision1
    }

    /// The generation in use.
    public let revision: Revision
    /// Hands whose wrist lies outside this part of the picture are left out.
    public var regionOfInterest = NormalizedRect.fullImage
    /// The most hands that are found, the largest first; 2 unless told otherwise.
    public var maximumHandCount = 2

    /// The generations that are supported.
    public static var supportedRevisions: [Revision] { Revision.allCases }

    /// Makes a request.
    public init(_ revision: Revision? = nil) {
        self.revision = revision ?? .revision1
    }

    /// The joints that can be found.
    public var supportedJointNames: [HumanHandPoseObservation.JointName] { HumanHandPoseObservation.JointName.allCases }
    /// The groups of joints.
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
        // Hands outside the region must not take the places of those inside.
        var tracker = try HandPoseTracker(
            options: HandPoseOptions(maximumHandCount: isWhole ? maximumHandCount : max(maximumHandCount, 16)),
            looksOnce: true)
        let hands = try tracker.update(frame).filter { hand in
            guard let wrist = hand.pose.keypoints[.wrist]?.location else { return false }
            return isWhole || regionOfInterest.cgRect.contains(wrist)
        }
        return hands.prefix(max(0, maximumHandCount)).map { hand in
            // A picture by itself has no hands to follow over time.
            var hand = hand
            hand.pose.id = nil
            return hand
        }
    }
}
