public import Foundation
public import KinemaCore
public import KinemaMotion

/// Tells the type by a classifier that `ActionTrainer` made of clips of throws, labelled by their type.
///
/// The sample feeds 45 frames padded with zeros; a classifier of one's own gets as much of the movement as its windows
/// hold, at its own rate.
public struct ClassifierJudge: ThrowTypeJudge {
    /// The classifier; its classes are called overhand, underhand, underleg and, for anything else, none.
    public let classifier: HumanActionClassifier
    /// How much of its window lies after the release: 10 of 45 frames, as in the sample.
    public var shareAfter = 10.0 / 45

    /// Makes the judge; throws `invalidArgument` when no class of the classifier is a type of throw.
    public init(_ classifier: HumanActionClassifier) throws {
        guard classifier.subject == .body, classifier.classes.contains(where: { ThrowType(label: $0) != nil }) else {
            throw KinemaError(
                .invalidArgument,
                "the classifier knows \(classifier.classes.joined(separator: ", ")); it needs classes called overhand, "
                    + "underhand or underleg")
        }
        self.classifier = classifier
    }

    /// The classifier's answer for the window around the release; nil when it knows none or calls it another action.
    public func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
    {
        let length = classifier.windowDuration
        let end = release.time + length * shareAfter
        let window = poses.filter { (end - length...end).contains($0.time) }
        let sequence = PoseSequence(.body, poses: window.map { ($0.time, $0.pose) }, aspectRatio: aspectRatio)
        return classifier.prediction(of: sequence)?.label.flatMap(ThrowType.init(label:))
    }
}
