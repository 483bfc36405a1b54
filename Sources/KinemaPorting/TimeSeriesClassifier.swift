public import KinemaCore
import KinemaMotion

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
