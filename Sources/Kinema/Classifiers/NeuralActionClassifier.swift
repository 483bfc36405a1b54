public import Foundation
public import KinemaCore
public import KinemaMotion
import KinemaVision

/// A neural network in ONNX that names actions: one that `kinema train --export` wrote, or one made elsewhere.
///
/// `Documentation/classifiers.md` says which shapes it may take, and what the metadata of a file may say.
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
    /// The probability (0...1) below which a movement is none of the classes; 0 if the file does not say, can be changed.
    public var rejectionThreshold: Double
    /// What the positions are measured in.
    public let coordinates: PoseCoordinates

    private let layout: ClassifierLayout
    private let network: ClassifierNetwork
    private let strangenessLimit: Float
    /// How many times as sharp the mean over a clip's windows is as one window; nil for the mean of probabilities.
    private let clipSharpness: Float?

    static let maximumSize = 256 << 20
    /// Frames a second of a network that does not say; what most recordings have.
    static let usualRate = 30.0

    /// Reads a file.
    ///
    /// Throws `.unreadableInput` in one line for what is no such network or does not say enough, `.missingComponent` when
    /// the inference library is not installed.
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
            throw refuse("takes \(input), which is no movement; it must be \(ClassifierLayout.accepted)")
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
        // A joint that Kinema does not know is one that is never seen.
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

    /// Classifies movement by what its windows say together; nil if nobody is visible.
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
        // A logarithm is a score, but for what all classes share.
        return ClassifierNetwork.softmax(mean { log(max($0, .leastNormalMagnitude)) }.map { $0 * clipSharpness })
    }
}

/// The network of a classifier, ready to run: numbers in, probabilities out.
struct ClassifierNetwork: Sendable {
    struct Result: Sendable, Hashable {
        var probabilities: [Float]
        /// How unlike the training clips the window is; 0 if it does not say.
        var strangeness: Float
    }

    private let runner: ONNXModel.Runner
    private let (place, strangenessPlace): (Int, Int?)
    /// Whether the output is scores that become probabilities by the softmax function.
    private let givesScores: Bool

    /// Compiles a network and runs it on simple movements, to see what it gives.
    ///
    /// Throws `.unreadableInput` in one line for one that cannot run or gives something else than `classes` numbers.
    init(_ model: ONNXModel, layout: ClassifierLayout, classes: Int?) throws(KinemaError) {
        let file = model.graph.file
        func refuse(_ reason: String) -> KinemaError { KinemaError(.unreadableInput, reason, file: file.path) }
        runner = try model.runner(shape: layout.shape)
        let outputs: [[ShapedArray<Float>]]
        do {
            outputs = try (0..<4).map { [runner] in try runner.outputs(for: Self.trial(layout, $0)) }
        } catch {
            let reason = (error as? KinemaError)?.message ?? "no reason given"
            throw refuse("does not run (\(PlainText.prefix(PlainText.oneLine(reason), bytes: 200))); export it again")
        }
        let names = model.graph.outputs.map(\.name)
        let strangeness = names.firstIndex(of: HumanActionClassifier.onnxStrangeness)
        let counts = outputs[0].indices.map { index in
            // An output whose size depends on the movement gives no classes.
            Set(outputs.map { $0[index].scalars.count }).count == 1 ? outputs[0][index].scalars.count : 0
        }
        let fitting = counts.indices.filter { place in
            place != strangeness
                && (classes.map { $0 == counts[place] } ?? ClassifierMetadata.classRange.contains(counts[place]))
        }
        let named = fitting.first { names[$0] == HumanActionClassifier.onnxOutput }
        guard let place = named ?? fitting.first(where: { names[$0].lowercased().contains("prob") }) ?? fitting.first
        else {
            let given = counts.enumerated().filter { $0.offset != strangeness }.map { "\($0.element)" }
            throw refuse(
                "gives \(given.joined(separator: " and ")) numbers"
                    + (classes.map { ", but there are \($0) labels; name as many" } ?? ", which are no classes"))
        }
        guard classes != nil else {
            throw refuse("does not name its \(counts[place]) classes; name them with --labels FILE, one a line")
        }
        (self.place, strangenessPlace) = (place, strangeness)
        let rows = outputs.map(\.[place].scalars).filter { $0.allSatisfy(\.isFinite) }
        guard !rows.isEmpty else { throw refuse("gives no numbers (NaN) for simple movements; export it again") }
        givesScores = !rows.allSatisfy(Self.areProbabilities)
    }

    /// What the network says of a window; nil when it gives no finite numbers.
    func result(for input: [Float]) -> Result? {
        guard let outputs = try? runner.outputs(for: input), outputs.indices.contains(place) else { return nil }
        let values = outputs[place].scalars
        let strangeness = strangenessPlace.flatMap { outputs[$0].scalars.first } ?? 0
        guard values.allSatisfy(\.isFinite), strangeness.isFinite else { return nil }
        guard !givesScores else { return Result(probabilities: Self.softmax(values), strangeness: strangeness) }
        let positive = values.map { max(0, $0) }
        let sum = positive.reduce(0, +)
        guard sum > 0, sum.isFinite else { return nil }
        return Result(probabilities: positive.map { $0 / sum }, strangeness: strangeness)
    }

    static func softmax(_ scores: [Float]) -> [Float] {
        let most = scores.max() ?? 0
        let powers = scores.map { exp($0 - most) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }

    /// How far from 1 the sum of probabilities may be, whose arithmetic may have 16 bits.
    private static let tolerance: Float = 0.01

    private static func areProbabilities(_ values: [Float]) -> Bool {
        values.allSatisfy { (-tolerance...1 + tolerance).contains($0) } && abs(values.reduce(0, +) - 1) <= tolerance
    }

    /// A movement in the middle of the picture: joints on a spiral that swing, each in its own way.
    private static func trial(_ layout: ClassifierLayout, _ number: Int) -> [Float] {
        let keys = (0..<layout.joints).map { JointKey(rawValue: "\($0)") }
        var movement = PoseSequence(.body, joints: keys)
        movement.picture.top = 1
        for frame in 0..<layout.frames {
            let swing = 0.05 * Float(number + 1) * sin(Float(frame) / Float(4 + number))
            let row = (0..<layout.joints).flatMap { joint -> [Float] in
                let angle = 2.4 * Float(joint)
                let radius = 0.05 + 0.3 * Float(joint) / Float(layout.joints)
                return [0.5 + radius * cos(angle) + swing * Float(joint % 3), 0.5 + radius * sin(angle), 0.9]
            }
            movement.append(row, at: Double(frame))
        }
        return layout.input(movement, .vision)
    }
}
