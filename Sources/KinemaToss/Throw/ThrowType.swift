import KinemaMotion
package import KinemaLearning
package import Foundation
package import KinemaCore

/// The types of throws.
package enum ThrowType: String, CaseIterable, Codable, Sendable {
    /// The hand above the shoulder.
    case overhand = "Overhand"
    /// The arm swung from below.
    case underhand = "Underhand"
    /// The arm swung from below, under a lifted leg.
    case underleg = "Underleg"
    /// None of these, or the thrower was not in view.
    case none = "None"

    /// Parses a classifier's label, ignoring case; nil if it names no throw type.
    init?(label: String) {
        let name = label.lowercased()
        guard let type = ThrowType.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        self = type
    }
}

/// A type of throw with its confidence.
package struct ThrowTypePrediction: Sendable, Hashable {
    /// The type.
    package var type: ThrowType
    /// Its confidence, 0...1.
    package var confidence: Float

    /// Creates a prediction; the confidence is 0...1.
    package init(_ type: ThrowType, confidence: Float) { (self.type, self.confidence) = (type, confidence) }
}

/// Classifies a throw by the thrower's movement.
package protocol ThrowTypeClassifier: Sendable {
    /// Returns the type of a throw; nil if the movement does not show it.
    ///
    /// `poses` are the thrower's around the release, in order of time (seconds); `aspectRatio` is width / height.
    func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction?
}

/// Classifies a throw by the body's posture around the release, measured in body lengths.
///
/// Overhand: the hand is above the shoulder. Underleg: a thigh is nearly horizontal and the hand is below its knee.
/// Underhand: the hand is below the shoulder and both thighs hang down. The confidence is the type's mean probability.
package struct PostureThrowClassifier: ThrowTypeClassifier {
    /// A thigh counts as lifted if its knee is lower than the hip by less than this, in trunk lengths: 60 degrees from
    /// the vertical for a thigh of 0.85 trunk lengths (Drillis and Contini 1966: 0.245 to 0.288 of the body height).
    /// Standing and stepping keep it below 40 degrees.
    private static let liftedThigh = 0.43
    /// The hand may be this far above the lifted knee, in trunk lengths.
    private static let handAboveKnee = 0.2
    /// The standard error of a margin, in trunk lengths: that of the hand between frames at the release.
    private static let spread = 0.1
    /// The time around the release that is considered, in seconds before and after it.
    private static let span = (before: 0.12, after: 0.07)

    /// Creates the classifier.
    package init() {}

    /// Returns the type that the frames around the release show; nil without frames.
    package func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction? {
        let range = release.time - Self.span.before...release.time + Self.span.after
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
                return probability(of: Self.liftedThigh - (hip.y - knee.y) / trunk)
                    * probability(of: (knee.y - wrist.y) / trunk + Self.handAboveKnee)
            }.max() ?? 0.0
        return [.overhand: overhand, .underleg: (1 - overhand) * lifted, .underhand: (1 - overhand) * (1 - lifted)]
    }

    /// The probability that a margin in trunk lengths is positive: logistic, within 0.01 of the normal distribution.
    private func probability(of margin: Double) -> Double { 1 / (1 + exp(-1.702 * margin / Self.spread)) }
}

/// Classifies a throw with a model of `ActionTrainer` trained on labelled throws, otherwise by posture.
///
/// The sample pads 45 frames with zeros; here the model receives a full window at its own frame rate.
package struct TrainedThrowClassifier: ThrowTypeClassifier {
    private let classifier: any ActionClassifier
    /// The share of its window after the release: 10 of 45 frames, as in the sample.
    private static let shareAfter = 10.0 / 45

    /// Creates the classifier from a model with classes overhand, underhand, underleg and none; throws
    /// `invalidArgument` without a throw type.
    package init(_ classifier: any ActionClassifier) throws {
        guard classifier.subject == .body, classifier.classes.contains(where: { ThrowType(label: $0) != nil }) else {
            throw KinemaError.invalid(
                "the classifier knows \(classifier.classes.joined(separator: ", ")); it needs classes called overhand, "
                    + "underhand or underleg")
        }
        self.classifier = classifier
    }

    /// Returns the model's prediction for the window around the release, or that of the posture.
    package func prediction(
        of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double
    ) -> ThrowTypePrediction? {
        let length = classifier.windowDuration
        let end = release.time + length * Self.shareAfter
        let window = poses.filter { (end - length...end).contains($0.time) }
        let sequence = PoseSequence(
            .body, joints: classifier.joints, poses: window.map { ($0.time, $0.pose) }, aspectRatio: aspectRatio)
        if let found = classifier.prediction(of: sequence), let type = found.label.flatMap(ThrowType.init(label:)) {
            return ThrowTypePrediction(type, confidence: Float(found.confidence))
        }
        return PostureThrowClassifier().prediction(of: poses, release: release, aspectRatio: aspectRatio)
    }
}

struct PoseHistory: Sendable {
    struct Frame: Sendable {
        var time: TimeInterval
        var poses: [Pose]
    }

    private(set) var frames: [Frame] = []
    let duration: TimeInterval

    init(duration: TimeInterval) { self.duration = duration }

    mutating func append(_ poses: [Pose], at time: TimeInterval) {
        frames.append(Frame(time: time, poses: poses))
        let old = frames.prefix { $0.time < time - duration }.count
        if old > 60 { frames.removeFirst(old) }
    }

    func poses(of id: Int?, in range: ClosedRange<TimeInterval>) -> [(time: TimeInterval, pose: Pose)] {
        frames.filter { range.contains($0.time) }.compactMap { frame in
            frame.poses.first { $0.id == id }.map { (frame.time, $0) }
        }
    }
}
