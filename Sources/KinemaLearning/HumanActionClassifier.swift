public import KinemaMotion
public import Foundation
public import KinemaCore

/// Classifies actions of a body or a hand, like a model of Create ML's action classifiers; `ActionTrainer` trains it.
public struct HumanActionClassifier: ActionClassifier, Hashable {
    let model: ActionModel
    /// The training data and the accuracy.
    public let summary: TrainingSummary

    /// The subject whose movement it classifies.
    public var subject: ActionSubject { model.subject }
    /// The classes, sorted by name.
    public var classes: [String] { model.classes }
    /// Frames in a window.
    public var predictionWindowSize: Int { model.length }
    /// Frames per second of a window.
    public var targetFrameRate: Double { model.rate }
    /// Half a window or, if the training clips were shorter, half of a usual one: the rest of a window is repetition.
    public var minimumDuration: TimeInterval { min(windowDuration, summary.medianSeconds ?? windowDuration) / 2 }
    /// The probability (0...1) below which a movement is none of the classes; set in training, can be changed.
    public var rejectionThreshold: Double

    init(model: ActionModel, summary: TrainingSummary) {
        (self.model, self.summary) = (model, summary)
        rejectionThreshold = Double(model.threshold)
    }

    /// Classifies a window of the shape frames x 3 x joints, the input of Create ML's models.
    ///
    /// The rows of a frame are x, y (normalised, origin at the lower left) and confidence, 0 for a missing joint; the
    /// joints are `subject.joints`. `aspectRatio` is width / height. Throws `invalidArgument` for another shape and
    /// `analysisFailed` if nobody is visible.
    public func prediction<Scalar>(poses: ShapedArray<Scalar>, aspectRatio: Double = 1) throws -> ActionPrediction
    where Scalar: BinaryFloatingPoint {
        let joints = subject.joints.count
        guard poses.shape == [model.length, 3, joints] else {
            throw KinemaError.invalid(
                "the window has the shape \(poses.shape); this classifier needs \([model.length, 3, joints])")
        }
        var sequence = PoseSequence(subject)
        for frame in 0..<model.length {
            let start = frame * 3 * joints
            let row = (start..<start + joints).flatMap { x -> [Float] in
                let (y, confidence) = (poses.scalars[x + joints], poses.scalars[x + 2 * joints])
                return [Float(poses.scalars[x]) * Float(aspectRatio), Float(y), Float(confidence)]
            }
            sequence.append(row, at: Double(frame) / model.rate)
        }
        guard let prediction = prediction(of: CollectionOfOne(sequence)) else {
            throw KinemaError(.analysisFailed, "no person is visible in the window")
        }
        return prediction
    }

    /// Classifies movement by the mean over its windows; nil if nobody is visible.
    public func prediction(of windows: some Sequence<PoseSequence>) -> ActionPrediction? {
        let scores = windows.compactMap { window in
            MotionWindow(window, from: 0, length: model.length).flatMap(model.score)
        }
        guard !scores.isEmpty else { return nil }
        return prediction(scores, scores.count > 1 ? model.clipCalibration : model.windowCalibration)
    }

    private func prediction(_ windows: [ActionModel.WindowScore], _ calibration: Calibration) -> ActionPrediction {
        let count = Float(windows.count)
        let scores = model.classes.indices.map { label in windows.reduce(0) { $0 + $1.scores[label] } / count }
        let strangeness = windows.reduce(0) { $0 + $1.strangeness } / count
        return ActionPrediction(
            classes: model.classes, probabilities: calibration.probabilities(scores), threshold: rejectionThreshold,
            isStrange: strangeness > model.strangeness)
    }
}

/// The model file is one JSON object with a name, a version and all parts of the classifier.
extension HumanActionClassifier {
    private static let format = "kinema-action-classifier"
    /// Increase it when older programs can no longer read the file.
    private static let version = 3
    /// The version of files without a part for posture, for older programs.
    private static let versionWithoutPosture = 1
    /// The largest file that is read, in bytes; a file of a hundred classes has about ten megabytes.
    private static let maximumSize = 256 << 20

    private struct Header: Codable {
        var format: String
        var version: Int
    }

    private struct Content: Codable {
        var format: String
        var version: Int
        var summary: TrainingSummary
        var rejectionThreshold: Double
        var model: ActionModel
    }

    /// Reads a classifier. Throws `unreadableInput` if the file is missing, truncated, invalid or of a newer version.
    public init(contentsOf url: URL) throws(KinemaError) {
        func unreadable(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: url.path) }
        let data = Data(
            try BoundedFile.read(url, limit: Self.maximumSize, remedy: "give a file made by kinema train"))
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: data) else {
            // A file that starts like a classifier was truncated; any other never was one.
            let isCut = String(decoding: data.prefix(200), as: UTF8.self).contains(Self.format)
            throw unreadable(
                isCut
                    ? "is damaged or cut short; copy it again or train it again"
                    : "is not a classifier made by kinema train, nor an .onnx file")
        }
        guard header.format == Self.format else {
            throw unreadable("is not a classifier made by kinema train, nor an .onnx file")
        }
        guard header.version <= Self.version else {
            throw unreadable(
                "has version \(header.version), but this program reads up to version \(Self.version); update Kinema")
        }
        guard header.version == Self.version || header.version == Self.versionWithoutPosture else {
            throw unreadable("has version \(header.version), whose posture is no longer supported; train it again")
        }
        guard let content = try? decoder.decode(Content.self, from: data), content.model.isSound,
            (0...1).contains(content.rejectionThreshold)
        else { throw unreadable("is damaged; copy it again or train it again") }
        self.init(model: content.model, summary: content.summary)
        rejectionThreshold = content.rejectionThreshold
    }

    /// Writes the classifier to a file, completely or not at all. Throws `unwritableOutput`.
    public func write(to url: URL) throws(KinemaError) {
        // Sorted keys put its name and version first.
        let encoder = JSONEncoder.ordered
        do {
            let content = Content(
                format: Self.format, version: model.posture == nil ? Self.versionWithoutPosture : Self.version,
                summary: summary, rejectionThreshold: rejectionThreshold, model: model)
            try AtomicFile.write(encoder.encode(content), to: url)
        } catch {
            throw error as? KinemaError ?? .unwritable(url.path, error)
        }
    }
}
