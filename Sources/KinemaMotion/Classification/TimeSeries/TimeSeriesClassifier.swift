import Foundation
public import KinemaCore

/// Names sequences of any numbers over time: rows of features, such as joints, sensors or sound levels.
///
/// A sequence has the shape `[sequenceLength, featureSize]`. The method is that of `ActionTrainer` without what it knows
/// of bodies: random convolutions over standardised features and one linear fit.
public struct TimeSeriesClassifier<Scalar, Label>: SupervisedEstimator, Sendable
where Scalar: BinaryFloatingPoint & Sendable, Label: Comparable & Codable & Hashable & Sendable {
    /// What fitting makes.
    public typealias Transformer = Model
    /// The class of a sequence.
    public typealias Annotation = Label

    /// The classes.
    public let labels: Set<Label>
    /// How it is trained.
    public let configuration: TimeSeriesClassifierConfiguration

    /// Makes a classifier of the given classes.
    public init(labels: Set<Label>, configuration: TimeSeriesClassifierConfiguration = .init()) {
        self.labels = labels
        self.configuration = configuration
    }

    /// Fits a model to sequences with their classes and validates it on others.
    ///
    /// Throws `invalidArgument` when a class is not among `labels`, when fewer than two classes occur, or when a sequence
    /// has another shape than the others.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler?
    ) async throws -> Model
    where
        Input: Sequence, Input.Element == AnnotatedFeature<ShapedArray<Scalar>, Label>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<ShapedArray<Scalar>, Label>
    {
        let examples = Array(input)
        let width = try check(examples)
        let fit = SeriesTraining(
            length: configuration.minimumSequenceLength, most: configuration.maximumSequenceLength,
            seed: configuration.randomSeed ?? 0)
        let order = labels.sorted()
        let rows = examples.map {
            SeriesTraining.Example(
                rows: $0.feature.scalars.map { Float($0) }, width: width,
                label: order.firstIndex(of: $0.annotation) ?? 0)
        }
        guard let series = fit.fit(rows, classes: order.count) else {
            throw KinemaError(.analysisFailed, "the sequences cannot be told apart; are they all alike?")
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
        var right = 0
        for example in examples where try await model(example.feature).mostLikelyLabel == example.annotation {
            right += 1
        }
        return Double(right) / Double(max(1, examples.count))
    }

    /// The number of features, which all sequences must share.
    private func check(_ examples: [AnnotatedFeature<ShapedArray<Scalar>, Label>]) throws -> Int {
        guard configuration.minimumSequenceLength >= 4 else {
            throw KinemaError(.invalidArgument, "minimumSequenceLength is less than 4; give it 4 or more")
        }
        guard Set(examples.map(\.annotation)).count >= 2 else {
            throw KinemaError(.invalidArgument, "two classes are needed to tell them apart; give examples of each")
        }
        for example in examples {
            guard labels.contains(example.annotation) else {
                throw KinemaError(
                    .invalidArgument, "the class \(example.annotation) is none of the classifier's labels")
            }
            guard example.feature.shape.count == 2, example.feature.scalarCount > 0,
                example.feature.shape[1] == examples[0].feature.shape.last
            else {
                throw KinemaError(
                    .invalidArgument,
                    "a sequence has the shape \(example.feature.shape); all need [length, features] of one size")
            }
        }
        return examples[0].feature.shape[1]
    }
}
