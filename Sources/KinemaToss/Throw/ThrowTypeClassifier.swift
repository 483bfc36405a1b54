public import Foundation
public import KinemaCore
public import KinemaMotion

/// How a bag was thrown, and how sure that is.
public struct ThrowTypePrediction: Sendable, Hashable {
    /// The type.
    public var type: ThrowType
    /// Its confidence, 0...1.
    public var confidence: Float

    /// Makes a prediction; the confidence is 0...1.
    public init(_ type: ThrowType, confidence: Float) {
        self.type = type
        self.confidence = confidence
    }
}

/// Classifies how a bag was thrown from the thrower's movement.
public protocol ThrowTypeClassifier: Sendable {
    /// Returns the type of a throw; nil if the movement does not show it.
    ///
    /// `poses` are the thrower's, in order of time (seconds), from before the release to after it; `aspectRatio` is the
    /// picture's width divided by its height.
    func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction?
}

/// Classifies a throw by the body's posture around the release, measured in body lengths.
///
/// Overhand: the hand is above the shoulder. Underleg: a thigh is lifted nearly to the horizontal and the hand is below
/// its knee. Underhand: the hand is below the shoulder and both thighs hang down. Each of these has a probability that
/// rises with its margin; the confidence is the type's mean probability over the frames.
public struct PostureThrowClassifier: ThrowTypeClassifier {
    /// A thigh counts as lifted if its knee is lower than the hip by less than this, in trunk lengths.
    ///
    /// A thigh is about 0.85 trunk lengths long (Drillis and Contini 1966: 0.245 to 0.288 of the body height); the
    /// limit is a thigh 60 degrees from the vertical. Standing and stepping keep it below 40 degrees.
    public var liftedThigh = 0.43
    /// The hand may be this far above the lifted knee, in trunk lengths.
    public var handAboveKnee = 0.2
    /// The standard error of a margin, in trunk lengths: that of the hand between frames at the release.
    public var spread = 0.1
    /// The time around the release that is considered, in seconds before and after it.
    public var span: (before: TimeInterval, after: TimeInterval) = (0.12, 0.07)

    /// Makes the classifier.
    public init() {}

    /// Returns the type that the frames around the release show; nil without frames.
    public func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction? {
        let range = release.time - span.before...release.time + span.after
        var near = poses.filter { range.contains($0.time) }
        if near.isEmpty, let nearest = poses.min(by: { abs($0.time - release.time) < abs($1.time - release.time) }) {
            near = [nearest]
        }
        let frames = near.compactMap { probabilities(of: $0.pose, isLeft: release.isLeft, aspectRatio: aspectRatio) }
        guard !frames.isEmpty else { return nil }
        let means = [ThrowType.overhand, .underhand, .underleg].map { type in
            (type: type, share: frames.reduce(0) { $0 + ($1[type] ?? 0) } / Double(frames.count))
        }
        return means.max { $0.share < $1.share }.map { .init($0.type, confidence: Float($0.share)) }
    }

    /// The probability of each type by one pose.
    private func probabilities(of pose: Pose, isLeft: Bool, aspectRatio: Double) -> [ThrowType: Double]? {
        guard let wrist = pose.keypoints[isLeft ? .leftWrist : .rightWrist]?.location,
            let shoulders = pose.midpoint(.leftShoulder, .rightShoulder),
            let trunk = pose.trunkLength(aspectRatio: aspectRatio)
        else { return nil }
        let shoulder = pose.keypoints[isLeft ? .leftShoulder : .rightShoulder]?.location ?? shoulders
        let overhand = probability(of: (wrist.y - shoulder.y) / trunk)
        let lifted =
            [(JointKey.leftHip, JointKey.leftKnee), (.rightHip, .rightKnee)].compactMap { hip, knee in
                guard let hip = pose.keypoints[hip]?.location, let knee = pose.keypoints[knee]?.location else {
                    return nil
                }
                return probability(of: liftedThigh - (hip.y - knee.y) / trunk)
                    * probability(of: (knee.y - wrist.y) / trunk + handAboveKnee)
            }.max() ?? 0.0
        return [
            .overhand: overhand, .underleg: (1 - overhand) * lifted, .underhand: (1 - overhand) * (1 - lifted),
        ]
    }

    /// The probability that a margin measured in trunk lengths is truly above 0: the logistic function, which differs from
    /// the normal distribution's by less than 0.01 at this scale.
    private func probability(of margin: Double) -> Double { 1 / (1 + exp(-1.702 * margin / spread)) }
}

/// Asks several classifiers in order and takes the first answer.
public struct ThrowClassifierChain: ThrowTypeClassifier {
    /// The classifiers in the order they are asked.
    public var classifiers: [any ThrowTypeClassifier]

    /// Makes a chain of classifiers, the most trusted first.
    public init(_ classifiers: [any ThrowTypeClassifier]) {
        self.classifiers = classifiers
    }

    /// Asks a trained model, and the posture about what the model knows nothing of; throws `invalidArgument` if no class
    /// of the model is a throw type.
    public init(_ model: any ActionClassifier) throws {
        self.init([try TrainedThrowClassifier(model), PostureThrowClassifier()])
    }

    /// Returns the first answer.
    public func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction? {
        for classifier in classifiers {
            if let told = classifier.prediction(of: poses, release: release, aspectRatio: aspectRatio) { return told }
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
    public let classifier: any ActionClassifier
    /// The share of its window after the release: 10 of 45 frames, as in the sample.
    public var shareAfter = 10.0 / 45

    /// Makes the classifier; throws `invalidArgument` if no class of the model is a throw type.
    public init(_ classifier: any ActionClassifier) throws {
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
    public func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction? {
        let length = classifier.windowDuration
        let end = release.time + length * shareAfter
        let window = poses.filter { (end - length...end).contains($0.time) }
        let sequence = PoseSequence(
            .body, joints: classifier.joints, poses: window.map { ($0.time, $0.pose) }, aspectRatio: aspectRatio)
        guard let told = classifier.prediction(of: sequence), let type = told.label.flatMap(ThrowType.init(label:))
        else { return nil }
        return ThrowTypePrediction(type, confidence: Float(told.confidence))
    }
}
