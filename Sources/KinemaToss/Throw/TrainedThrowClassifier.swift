package import Foundation
package import KinemaCore
package import KinemaMotion

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
