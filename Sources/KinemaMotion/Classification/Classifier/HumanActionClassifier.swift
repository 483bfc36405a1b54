public import Foundation
public import KinemaCore

/// Names what a body or a hand does: the counterpart of a model that Create ML's action classifiers train.
///
/// Trained by `ActionTrainer`, kept in one file; the same input always gives the same answer.
public struct HumanActionClassifier: Hashable, Sendable {
    let model: ActionModel
    /// How it was trained and how well it did.
    public let summary: TrainingSummary

    /// Whose movement it knows.
    public var subject: ActionSubject { model.subject }
    /// The classes, sorted by name.
    public var classes: [String] { model.classes }
    /// Frames in a window.
    public var predictionWindowSize: Int { model.length }
    /// Frames a second of a window.
    public var targetFrameRate: Double { model.rate }
    /// The length of a window, seconds.
    public var windowDuration: TimeInterval { Double(model.length) / model.rate }
    /// Below that probability (0...1) a movement is none of the classes; chosen in training, may be changed.
    public var rejectionThreshold: Double

    init(model: ActionModel, summary: TrainingSummary) {
        self.model = model
        self.summary = summary
        rejectionThreshold = Double(model.threshold)
    }

    /// What is done in a window of the shape frames x 3 x joints, as Create ML's models take it.
    ///
    /// The rows of a frame are x, y (normalised, origin at the lower left) and confidence; the joints are in the order of
    /// `subject.joints`, 0 where one is missing. `aspectRatio` is the picture's width divided by its height. Throws
    /// `invalidArgument` for another shape and `analysisFailed` when nobody is to be seen in it.
    public func prediction<Scalar>(poses: ShapedArray<Scalar>, aspectRatio: Double = 1) throws -> ActionPrediction
    where Scalar: BinaryFloatingPoint {
        let joints = subject.joints.count
        guard poses.shape == [model.length, 3, joints] else {
            throw KinemaError(
                .invalidArgument,
                "the window has the shape \(poses.shape); this classifier takes \([model.length, 3, joints])")
        }
        var sequence = PoseSequence(subject)
        for frame in 0..<model.length {
            let start = frame * 3 * joints
            var row: [Float] = []
            for joint in 0..<joints {
                row.append(Float(poses.scalars[start + joint]) * Float(aspectRatio))
                row.append(Float(poses.scalars[start + joints + joint]))
                row.append(Float(poses.scalars[start + 2 * joints + joint]))
            }
            sequence.append(row, at: Double(frame) / model.rate)
        }
        guard let window = MotionWindow(sequence, from: 0, length: model.length),
            let judgement = model.judge(window)
        else { throw KinemaError(.analysisFailed, "nobody is to be seen in the window") }
        return prediction([judgement], model.windowCalibration)
    }

    /// What a whole sequence shows, at any frame rate: the mean over all windows in it.
    ///
    /// Nil when nobody is to be seen, and of a sequence of more than a million frames at the classifier's rate.
    public func prediction(of sequence: PoseSequence) -> ActionPrediction? {
        guard sequence.subject == subject,
            let steady = sequence.resampled(rate: model.rate, window: windowDuration)
        else { return nil }
        let windows = WindowCutter(length: model.length, step: max(1, model.length / 2)).windows(of: steady)
        let judgements = windows.compactMap { model.judge($0.window) }
        guard !judgements.isEmpty else { return nil }
        return prediction(judgements, judgements.count > 1 ? model.clipCalibration : model.windowCalibration)
    }

    /// The judgement of several windows as one.
    func prediction(_ judgements: [ActionModel.Judgement], _ calibration: Calibration) -> ActionPrediction {
        let count = Float(judgements.count)
        let scores = model.classes.indices.map { label in judgements.reduce(0) { $0 + $1.scores[label] } / count }
        let strangeness = judgements.reduce(0) { $0 + $1.strangeness } / count
        let probabilities = calibration.probabilities(scores)
        let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
        let isKnown = Double(probabilities[best]) >= rejectionThreshold && strangeness <= model.strangeness
        return ActionPrediction(
            label: isKnown ? model.classes[best] : nil, confidence: Double(probabilities[best]),
            labelProbabilities: Dictionary(uniqueKeysWithValues: zip(model.classes, probabilities.map(Double.init))))
    }
}
