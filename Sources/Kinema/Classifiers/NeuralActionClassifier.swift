import KinemaFormats
public import KinemaMotion
public import KinemaLearning
import KinemaPose
public import Foundation
public import KinemaCore

/// A neural network in ONNX that classifies actions, from `kinema train --export` or elsewhere.
///
/// `Documentation/classifiers.md` lists the accepted shapes and metadata.
public struct NeuralActionClassifier: ActionClassifier {
    /// The subject whose movement it classifies.
    public let subject: ActionSubject
    /// The joints in the order of the network's input.
    public let joints: [JointKey]
    /// The classes in the order of the network's output.
    public let classes: [String]
    /// Frames in a window.
    public let predictionWindowSize: Int
    /// Frames per second of a window.
    public let targetFrameRate: Double
    /// The probability (0...1) below which a movement is none of the classes; mutable, 0 by default.
    public var rejectionThreshold: Double
    /// The coordinate system of positions.
    package let coordinates: PoseCoordinates

    private let layout: ClassifierLayout
    private let network: ClassifierNetwork
    private let strangenessLimit: Float
    /// The sharpening of the mean over a clip's windows, relative to one window; nil for the mean of probabilities.
    private let clipSharpness: Float?

    static let maximumSize = 256 << 20
    /// The default frame rate in frames a second, that of most recordings.
    static let usualRate = 30.0

    /// Reads a network; throws `.unreadableInput` if it is unusable, `.missingComponent` without the inference library.
    public init(contentsOf url: URL, options: ActionClassifierOptions = .init()) throws(KinemaError) {
        let model = try ONNXModel(contentsOf: url, limit: Self.maximumSize)
        let metadata = try ClassifierMetadata(model.header.metadata, file: url.path)
        let layout = try Self.layout(of: model, metadata)
        (subject, joints) = try Self.joints(of: layout, metadata, file: url.path)
        let isOurs = model.header.producer == HumanActionClassifier.onnxProducer
        coordinates =
            options.coordinates ?? metadata.coordinates ?? (isOurs ? .heights : layout.isCreateML ? .vision : .image)
        let labels = try options.labels(beside: url) ?? metadata.labels
        network = try ClassifierNetwork(model, layout: layout, classes: labels?.count)
        // The network has refused a file without labels.
        classes = labels ?? []
        (predictionWindowSize, self.layout) = (layout.frames, layout)
        targetFrameRate = options.rate ?? metadata.rate ?? Self.usualRate
        rejectionThreshold = metadata.rejectionThreshold ?? 0
        strangenessLimit = metadata.strangenessLimit.map { Float($0) } ?? .infinity
        clipSharpness = metadata.clipSharpness.map { Float($0) }
    }

    private static func layout(of model: ONNXModel, _ metadata: ClassifierMetadata) throws(KinemaError)
        -> ClassifierLayout
    {
        func refuse(_ reason: String) -> KinemaError {
            KinemaError(.unreadableInput, reason, file: model.graph.file.path)
        }
        guard model.graph.inputs.count == 1, let input = model.graph.inputs.first else {
            throw refuse(
                "takes \(model.graph.inputs.count) inputs; a classifier takes one, \(ClassifierLayout.accepted)")
        }
        guard input.type == "f32" else {
            throw refuse("takes \(input); export it with an input of 32-bit floating point (f32)")
        }
        guard let layout = ClassifierLayout(input.shape, joints: metadata.joints?.count, window: metadata.window) else {
            throw refuse("takes \(input), which is not a movement; it must be \(ClassifierLayout.accepted)")
        }
        if let window = metadata.window, window != layout.frames {
            throw refuse(
                "takes \(layout.frames) frames, but its metadata window is \(window); write the metadata again")
        }
        return layout
    }

    private static func joints(
        of layout: ClassifierLayout, _ metadata: ClassifierMetadata, file: String
    ) throws(KinemaError) -> (ActionSubject, [JointKey]) {
        let subject = metadata.subject ?? (layout.joints == JointOrder.hand21.count ? .hand : .body)
        // A joint that Kinema does not know is never seen.
        func known(_ joints: [JointKey?]) -> [JointKey] { joints.map { $0 ?? JointKey(rawValue: "unknown") } }
        if let joints = metadata.joints { return (subject, known(joints)) }
        guard let order = JointOrder(joints: layout.joints, of: subject) else {
            throw KinemaError(
                .unreadableInput,
                "takes \(layout.joints) joints of a \(subject.rawValue); without metadata joints there must be "
                    + JointOrder.known(of: subject), file: file)
        }
        return (subject, known(order.keys))
    }

    /// Classifies movement by the mean over its windows; nil if nobody is visible.
    public func prediction(of windows: some Sequence<PoseSequence>) -> ActionPrediction? {
        let results = windows.compactMap { window -> ClassifierNetwork.Result? in
            guard window.joints == joints, window.count == predictionWindowSize, window.showsSomebody else {
                return nil
            }
            return network.result(for: layout.input(window, coordinates))
        }
        guard !results.isEmpty else { return nil }
        let count = Float(results.count)
        return ActionPrediction(
            classes: classes, probabilities: results.count > 1 ? mean(results) : results[0].probabilities,
            threshold: rejectionThreshold,
            isStrange: results.reduce(0) { $0 + $1.strangeness } / count > strangenessLimit)
    }

    private func mean(_ results: [ClassifierNetwork.Result]) -> [Float] {
        let count = Float(results.count)
        func mean(_ value: (Float) -> Float) -> [Float] {
            classes.indices.map { label in results.reduce(0) { $0 + value($1.probabilities[label]) } / count }
        }
        guard let clipSharpness else { return mean { $0 } }
        // Logarithms are scores up to a constant.
        return Calibration.softmax(mean { log(max($0, .leastNormalMagnitude)) }.map { $0 * clipSharpness })
    }
}

/// Options that override the metadata of a neural network's file.
public struct ActionClassifierOptions: Sendable, Hashable {
    /// A file with the classes, one a line; nil for the network's own, or those in NAME.labels.txt beside it.
    public var labels: URL?
    /// The coordinate system of positions; nil for the file's own, or the usual one for its shape.
    public var coordinates: PoseCoordinates?
    /// Frames a second; nil for the file's own, or 30.
    public var rate: Double?

    /// Creates options that override nothing.
    public init() {}

    func labels(beside url: URL) throws(KinemaError) -> [String]? {
        if let labels { return try ClassifierMetadata.labels(contentsOf: labels) }
        let beside = url.deletingPathExtension().appendingPathExtension("labels.txt")
        guard FileManager.default.fileExists(atPath: beside.path) else { return nil }
        return try ClassifierMetadata.labels(contentsOf: beside)
    }

    /// Reads a classifier: a neural network from an `.onnx` file, or one that `kinema train` wrote.
    ///
    /// Throws `.unreadableInput` for any other file, `.invalidArgument` for network options with it,
    /// `.missingComponent` when a network needs the inference library and it is not installed.
    public func classifier(contentsOf url: URL) throws(KinemaError) -> any ActionClassifier {
        guard url.pathExtension.lowercased() != "onnx" else {
            return try NeuralActionClassifier(contentsOf: url, options: self)
        }
        guard self == ActionClassifierOptions() else {
            throw KinemaError(
                .invalidArgument, "labels, coordinates and rate are for classifiers in ONNX (.onnx); leave them out",
                file: url.path)
        }
        return try HumanActionClassifier(contentsOf: url)
    }
}

/// The coordinate system of the positions that a neural network takes.
public enum PoseCoordinates: String, Sendable, Hashable, CaseIterable {
    /// Both in heights of the frame, y up: used by Kinema's own classifiers, without conversion.
    case heights
    /// 0...1 of the frame's width and height, y up: used by Create ML and Vision.
    case vision
    /// 0...1 of the frame's width and height, y down: used by MediaPipe and YOLO.
    case image
    /// -1...1 of the frame's width and height, y down, the frame's middle at 0: used by MMAction2.
    case centred

    /// Converts a position of a sequence to the network's coordinates.
    func position(_ x: Float, _ y: Float, in picture: PoseSequence.Picture) -> (x: Float, y: Float) {
        let share = x / picture.width
        switch self {
        case .heights: return (x, y)
        case .vision: return (share, 1 - (picture.top - y))
        case .image: return (share, picture.top - y)
        case .centred: return (2 * share - 1, 2 * (picture.top - y) - 1)
        }
    }
}
