import Foundation
public import KinemaCore
public import KinemaMedia

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
