import KinemaLearning
public import Foundation
public import KinemaCore

/// Classifies sequences of arbitrary features over time, such as joints or sensor readings.
///
/// A sequence has the shape `[sequenceLength, featureSize]`. The method is that of `ActionTrainer`: random convolutions
/// over standardised features and one linear fit.
public struct TimeSeriesClassifier<Scalar, Label>: SupervisedEstimator, Sendable
where Scalar: BinaryFloatingPoint & Sendable, Label: Comparable & Codable & Hashable & Sendable {
    /// The fitted model.
    public typealias Transformer = Model
    /// The class of a sequence.
    public typealias Annotation = Label

    /// The classes.
    public let labels: Set<Label>
    /// The training configuration.
    public let configuration: TimeSeriesClassifierConfiguration

    /// Makes a classifier for the given classes.
    public init(labels: Set<Label>, configuration: TimeSeriesClassifierConfiguration = .init()) {
        (self.labels, self.configuration) = (labels, configuration)
    }

    /// Fits a model to labelled sequences and validates it on others.
    ///
    /// Throws `invalidArgument` for a class not among `labels`, fewer than two classes, or sequences of unequal shapes.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler?
    ) async throws -> Model
    where
        Input: Sequence, Input.Element == AnnotatedFeature<ShapedArray<Scalar>, Label>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<ShapedArray<Scalar>, Label>
    {
        let examples = Array(input)
        let width = try check(examples)
        let order = labels.sorted()
        let rows = examples.map {
            (rows: $0.feature.scalars.map { Float($0) }, label: order.firstIndex(of: $0.annotation) ?? 0)
        }
        let series = SeriesModel.fitted(
            to: rows, width: width, classes: order.count, length: configuration.minimumSequenceLength,
            maximumRows: configuration.maximumSequenceLength, seed: configuration.randomSeed ?? 0)
        guard let series else {
            throw KinemaError(.analysisFailed, "the sequences of different classes look the same; check the labels")
        }
        let model = Model(labels: order, series: series)
        var metrics: [MetricsKey: any Sendable] = [.trainingAccuracy: try await accuracy(of: model, on: examples)]
        let others = Array(validation)
        if !others.isEmpty { metrics[.validationAccuracy] = try await accuracy(of: model, on: others) }
        eventHandler?(
            Event(
                origin: "TimeSeriesClassifier", itemCount: examples.count, totalItemCount: examples.count,
                metrics: metrics))
        return model
    }

    private func accuracy(
        of model: Model, on examples: [AnnotatedFeature<ShapedArray<Scalar>, Label>]
    ) async throws -> Double {
        var correct = 0
        for example in examples where try await model(example.feature).mostLikelyLabel == example.annotation {
            correct += 1
        }
        return Double(correct) / Double(max(1, examples.count))
    }

    /// Checks the examples and returns the number of features, which all sequences must share.
    private func check(_ examples: [AnnotatedFeature<ShapedArray<Scalar>, Label>]) throws -> Int {
        guard configuration.minimumSequenceLength >= 4 else {
            throw KinemaError.invalid("minimumSequenceLength is \(configuration.minimumSequenceLength); use at least 4")
        }
        guard Set(examples.map(\.annotation)).count >= 2 else {
            throw KinemaError.invalid("the examples have fewer than two classes; add examples of another class")
        }
        for example in examples {
            guard labels.contains(example.annotation) else {
                throw KinemaError.invalid("the class \(example.annotation) is not among the classifier's labels")
            }
            guard example.feature.shape.count == 2, example.feature.scalarCount > 0,
                example.feature.shape[1] == examples[0].feature.shape.last
            else {
                throw KinemaError.invalid(
                    "a sequence has the shape \(example.feature.shape), the first one \(examples[0].feature.shape)")
            }
        }
        return examples[0].feature.shape[1]
    }
}

/// The configuration of a time-series classifier, with the names of Create ML Components.
///
/// The fit has a closed-form solution, so the settings for iteration have no effect.
public struct TimeSeriesClassifierConfiguration: Hashable, Sendable, Codable {
    /// No effect: the fit takes one step, with all examples at once.
    public var maximumIterationCount = 25, batchSize = 32, learningRate: Float = 0.005
    /// The number of rows in a window. Shorter sequences play forwards and backwards until they fill it.
    public var minimumSequenceLength = 100
    /// The maximum number of rows of a sequence to train on; all by default.
    public var maximumSequenceLength = Int.max
    /// No effect: the fit takes one step.
    public var earlyStoppingIterationCount = 5, earlyStoppingTolerance: Float = 0.001
    /// The seed of all random numbers; nil is 0, so that training is reproducible.
    public var randomSeed: Int?

    /// Makes a configuration with the defaults.
    public init() {}
}

extension TimeSeriesClassifier {
    /// A fitted classifier of sequences.
    public struct Model: KinemaCore.Transformer, Sendable, Codable {
        /// A sequence of shape `[sequenceLength, featureSize]`.
        public typealias Input = ShapedArray<Scalar>
        /// The probabilities of all classes.
        public typealias Output = ClassificationDistribution<Label>

        /// The number of rows from one prediction to the next in a temporal sequence; a quarter of a window by default.
        public var stride: Int

        let labels: [Label]
        let series: SeriesModel

        init(labels: [Label], series: SeriesModel) {
            self.labels = labels
            self.series = series
            stride = max(1, series.length / 4)
        }

        /// Classifies a sequence by the mean over its windows; throws `invalidArgument` for another number of features.
        public func applied(
            to input: ShapedArray<Scalar>, eventHandler: EventHandler? = nil
        ) async throws -> ClassificationDistribution<Label> {
            guard input.shape.count == 2, input.shape[1] == series.channels, input.shape[0] > 0 else {
                throw KinemaError.invalid(
                    "the sequence has the shape \(input.shape); this model needs [length, \(series.channels)]")
            }
            return distribution(input.scalars.map { Float($0) })
        }

        private func distribution(_ rows: [Float]) -> ClassificationDistribution<Label> {
            let probabilities = series.probabilities(rows)
            return ClassificationDistribution(
                zip(labels, probabilities).map { Classification(label: $0, probability: Float($1)) })
        }

        /// Classifies the last window of rows after every `stride` rows.
        ///
        /// An input element holds rows of shape `[featureSize]`. An output has the time of its window's last element.
        public func applied<S>(
            to input: S, eventHandler: EventHandler? = nil
        ) async throws -> AnyTemporalSequence<ClassificationDistribution<Label>>
        where S: TemporalSequence, S.Feature == ShapedArray<Scalar> {
            AnyTemporalSequence(
                StepSequence(input, step: SlidingRows(model: self), origin: Self.self, eventHandler: nil), count: nil)
        }

        /// Predicts from a sliding window of rows.
        struct SlidingRows: TemporalStep {
            let model: Model
            var rows: [Float] = []
            var sinceLast = Int.max / 2

            mutating func push(
                _ element: TemporalFeature<ShapedArray<Scalar>>
            ) throws -> TemporalFeature<ClassificationDistribution<Label>>? {
                let (length, width) = (model.series.length, model.series.channels)
                guard element.feature.shape.last == width else {
                    throw KinemaError.invalid(
                        "a row has \(element.feature.shape.last ?? 0) features; this model needs \(width)")
                }
                rows += element.feature.scalars.map { Float($0) }
                sinceLast += element.feature.scalarCount / width
                rows.removeFirst(max(0, rows.count - length * width))
                guard rows.count == length * width, sinceLast >= model.stride else { return nil }
                sinceLast = 0
                return TemporalFeature(id: element.id, feature: model.distribution(rows))
            }

            func outputCount(inputCount: Int) -> Int { inputCount / model.stride }
        }
    }
}

/// A class and its probability.
public struct Classification<Label: Hashable & Sendable>: Hashable, Sendable {
    /// The class.
    public var label: Label
    /// Its probability, 0...1.
    public var probability: Float

    /// Makes a classification from a class and its probability.
    public init(label: Label, probability: Float) { (self.label, self.probability) = (label, probability) }
}

/// The probabilities of all classes, the most likely first.
public struct ClassificationDistribution<Label: Hashable & Sendable>: RandomAccessCollection, Hashable, Sendable {
    private let classifications: [Classification<Label>]

    /// Makes a distribution from classes with their probabilities.
    public init<C: Collection>(_ classifications: C) where C.Element == Classification<Label> {
        self.classifications = classifications.sorted { $0.probability > $1.probability }
    }

    /// The position of the most likely class.
    public var startIndex: Int { 0 }
    /// The position after the least likely class.
    public var endIndex: Int { classifications.count }
    /// A class by its rank.
    public subscript(position: Int) -> Classification<Label> { classifications[position] }

    /// All classes, the most likely first.
    public var labelsSortedByProbability: [Label] { map(\.label) }

    /// The most likely class; nil without classes.
    public var mostLikelyLabel: Label? { first?.label }

    /// The most likely classes.
    public func topLabels(_ amount: Int) -> [Label] { prefix(amount).map(\.label) }
}

extension Transformer {
    /// Always throws `unsupported`: Core ML models can only be made on Apple's systems.
    public func export(to url: URL) throws {
        throw KinemaError(
            .unsupported, "Core ML export needs Apple's frameworks; keep the transformer in Swift", file: url.path)
    }

    /// Always throws `unsupported`: Core ML models can only be made on Apple's systems.
    public func export(to url: URL, metadata: ModelMetadata) throws { try export(to: url) }
}

/// The metadata of an exported model.
public struct ModelMetadata: Hashable, Sendable {
    /// The model's purpose, version, author and licence.
    public var description, version, author, license: String
    /// Anything else, by name.
    public var creatorDefined: [String: String]

    /// Makes metadata; omitted values are empty.
    public init(
        description: String = "", version: String = "", author: String = "", license: String = "",
        creatorDefined: [String: String] = [:]
    ) {
        (self.description, self.version, self.author) = (description, version, author)
        (self.license, self.creatorDefined) = (license, creatorDefined)
    }
}
