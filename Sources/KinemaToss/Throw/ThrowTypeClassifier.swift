public import Foundation
public import KinemaCore
public import KinemaMotion

/// Classifies how a bag was thrown from the thrower's movement.
public protocol ThrowTypeClassifier: Sendable {
    /// Returns the type of a throw; nil if the movement does not show it.
    ///
    /// `poses` are the thrower's, in order of time (seconds), from before the release to after it; `aspectRatio` is the
    /// picture's width divided by its height.
    func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
}

/// Classifies a throw by the body's posture around the release, measured in body lengths.
///
/// Overhand: the hand is above the shoulder. Underleg: a thigh is lifted nearly to the horizontal and the hand is below
/// its knee. Underhand: the hand is below the shoulder and both thighs hang down.
public struct PostureThrowClassifier: ThrowTypeClassifier {
    /// A thigh counts as lifted if its knee is lower than the hip by less than this, in trunk lengths.
    ///
    /// A thigh is about 0.85 trunk lengths long (Drillis and Contini 1966: 0.245 to 0.288 of the body height); the
    /// limit is a thigh 60 degrees from the vertical. Standing and stepping keep it below 40 degrees.
    public var liftedThigh = 0.43
    /// The time around the release that is considered, in seconds before and after it.
    public var span: (before: TimeInterval, after: TimeInterval) = (0.12, 0.07)

    /// Makes the classifier.
    public init() {}

    /// Returns the type that most frames around the release show; nil without frames.
    public func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
    {
        let range = release.time - span.before...release.time + span.after
        var near = poses.filter { range.contains($0.time) }
        if near.isEmpty, let nearest = poses.min(by: { abs($0.time - release.time) < abs($1.time - release.time) }) {
            near = [nearest]
        }
        var votes: [ThrowType: Int] = [:]
        for (_, pose) in near {
            guard let type = type(of: pose, isLeft: release.isLeft, aspectRatio: aspectRatio) else { continue }
            votes[type, default: 0] += 1
        }
        return votes.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
    }

    private func type(of pose: Pose, isLeft: Bool, aspectRatio: Double) -> ThrowType? {
        guard let wrist = pose.keypoints[isLeft ? .leftWrist : .rightWrist]?.location,
            let shoulders = pose.midpoint(.leftShoulder, .rightShoulder),
            let trunk = pose.trunkLength(aspectRatio: aspectRatio)
        else { return nil }
        let shoulder = pose.keypoints[isLeft ? .leftShoulder : .rightShoulder]?.location ?? shoulders
        if wrist.y > shoulder.y { return .overhand }
        for (hip, knee) in [(JointKey.leftHip, JointKey.leftKnee), (.rightHip, .rightKnee)] {
            guard let hip = pose.keypoints[hip]?.location, let knee = pose.keypoints[knee]?.location else { continue }
            if hip.y - knee.y < liftedThigh * trunk, wrist.y < knee.y + 0.2 * trunk { return .underleg }
        }
        return .underhand
    }
}

/// Asks several classifiers in order and takes the first answer.
public struct ThrowClassifierChain: ThrowTypeClassifier {
    /// The classifiers in the order they are asked.
    public var classifiers: [any ThrowTypeClassifier]

    /// Makes a chain of classifiers, the most trusted first.
    public init(_ classifiers: [any ThrowTypeClassifier]) {
        self.classifiers = classifiers
    }

    /// Returns the first answer.
    public func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
    {
        for classifier in classifiers {
            if let type = classifier.type(of: poses, release: release, aspectRatio: aspectRatio) { return type }
        }
        return nil
    }
}

/// Classifies a throw with a model that `ActionTrainer` trained on clips of throws labelled by type.
///
/// The sample feeds 45 frames padded with zeros; here the model gets as much of the movement as its window holds, at
/// its own frame rate.
public struct TrainedThrowClassifier: ThrowTypeClassifier {
    /// The model; its classes are called overhand, underhand, underleg and, for anything else, none.
    public let classifier: HumanActionClassifier
    /// The share of its window after the release: 10 of 45 frames, as in the sample.
    public var shareAfter = 10.0 / 45

    /// Makes the classifier; throws `invalidArgument` if no class of the model is a throw type.
    public init(_ classifier: HumanActionClassifier) throws {
        guard classifier.subject == .body, classifier.classes.contains(where: { ThrowType(label: $0) != nil }) else {
            throw KinemaError(
                .invalidArgument,
                "the classifier knows \(classifier.classes.joined(separator: ", ")); it needs classes called overhand, "
                    + "underhand or underleg")
        }
        self.classifier = classifier
    }

    /// Returns the model's answer for the window around the release; nil if it has none or the answer is another
    /// action.
    public func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
    {
        let length = classifier.windowDuration
        let end = release.time + length * shareAfter
        let window = poses.filter { (end - length...end).contains($0.time) }
        let sequence = PoseSequence(.body, poses: window.map { ($0.time, $0.pose) }, aspectRatio: aspectRatio)
        return classifier.prediction(of: sequence)?.label.flatMap(ThrowType.init(label:))
    }
}
