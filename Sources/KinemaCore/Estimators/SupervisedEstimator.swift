public import Foundation

/// Makes a transformer by fitting it to annotated examples.
public protocol SupervisedEstimator<Transformer, Annotation> {
    /// What fitting makes.
    associatedtype Transformer: KinemaCore.Transformer
    /// What is known about an example.
    associatedtype Annotation: Equatable

    /// Fits a transformer to annotated examples; by default without any to validate on.
    func fitted<Input>(to input: Input, eventHandler: EventHandler?) async throws -> Transformer
    where Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>

    /// Fits a transformer to annotated examples and validates it on others.
    func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler?
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>

    /// Hands a fitted transformer's values to an encoder; by default the transformer itself if it is `Codable`.
    func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Makes a fitted transformer of a decoder's values; by default the transformer itself if it is `Codable`.
    func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension SupervisedEstimator {
    /// Fits a transformer to annotated examples without validating it.
    public func fitted<Input>(to input: Input, eventHandler: EventHandler?) async throws -> Transformer
    where Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        let nothing = EmptyCollection<AnnotatedFeature<Transformer.Input, Annotation>>()
        return try await fitted(to: input, validateOn: nothing, eventHandler: eventHandler)
    }

    /// Fits a transformer to annotated examples.
    public func fitted<Input>(to input: Input) async throws -> Transformer
    where Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await fitted(to: input, eventHandler: nil)
    }

    /// Fits a transformer to annotated examples and validates it on others.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>
    {
        try await fitted(to: input, validateOn: validation, eventHandler: nil)
    }

    /// Always throws `unsupported`: the transformer is not `Encodable`.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        throw KinemaError.notCodable(Transformer.self)
    }

    /// Always throws `unsupported`: the transformer is not `Decodable`.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        throw KinemaError.notCodable(Transformer.self)
    }

    /// Writes a fitted transformer into a file; throws `unwritableOutput` when that fails.
    public func write(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encode(transformer, to: &$0) }
    }

    /// Reads a transformer that `write` wrote; throws `unreadableInput` when that fails.
    public func read(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decode(from: &$0) }
    }
}

extension SupervisedEstimator where Transformer: Encodable {
    /// Hands the transformer to an encoder.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encoder.encode(transformer)
    }
}

extension SupervisedEstimator where Transformer: Decodable {
    /// Takes the transformer from a decoder.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decoder.decode(Transformer.self)
    }
}

/// An estimator where a supervised one is wanted: it is fitted to the features and the annotations are left out.
public struct EstimatorToSupervisedAdaptor<Estimator, Annotation>: SupervisedEstimator
where Estimator: KinemaCore.Estimator, Annotation: Equatable {
    /// What fitting makes.
    public typealias Transformer = Estimator.Transformer

    /// The estimator that is fitted.
    public var estimator: Estimator

    /// Makes a supervised estimator of an estimator.
    public init(_ estimator: Estimator) {
        self.estimator = estimator
    }

    /// Fits the estimator to the features; nothing is validated.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>
    {
        try await estimator.fitted(to: input.lazy.map(\.feature), eventHandler: eventHandler)
    }

    /// Hands the values to an encoder as the estimator does.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try estimator.encode(transformer, to: &encoder)
    }

    /// Takes the values from a decoder as the estimator does.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try estimator.decode(from: &decoder)
    }
}

extension EstimatorToSupervisedAdaptor: UpdatableSupervisedEstimator where Estimator: UpdatableEstimator {
    /// A transformer that was fitted to nothing yet.
    public func makeTransformer() -> Transformer { estimator.makeTransformer() }

    /// Fits a transformer further to the features.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await estimator.update(&transformer, with: input.lazy.map(\.feature), eventHandler: eventHandler)
    }

    /// Hands the values and the optimizer's to an encoder as the estimator does.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try estimator.encodeWithOptimizer(transformer, to: &encoder)
    }

    /// Takes the values and the optimizer's from a decoder as the estimator does.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try estimator.decodeWithOptimizer(from: &decoder)
    }
}

extension EstimatorToSupervisedAdaptor: Sendable where Estimator: Sendable {}

/// An updatable estimator where an updatable supervised one is wanted.
public typealias UpdatableEstimatorToSupervisedAdaptor<Estimator, Annotation> =
    EstimatorToSupervisedAdaptor<Estimator, Annotation>
where Estimator: UpdatableEstimator, Annotation: Equatable

/// A transformer that is ready, where an estimator is wanted: fitting returns it as it is.
public struct TransformerToEstimatorAdaptor<Transformer>: UpdatableEstimator
where Transformer: KinemaCore.Transformer {
    /// The transformer that fitting returns.
    public let transformer: Transformer

    /// Makes an estimator of a transformer.
    public init(_ transformer: Transformer) {
        self.transformer = transformer
    }

    /// The transformer as it is.
    public func fitted<InputSequence>(
        to input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        transformer
    }

    /// The transformer as it is.
    public func makeTransformer() -> Transformer { transformer }

    /// Changes nothing.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {}

    /// Writes nothing: the transformer is known.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {}

    /// The transformer as it is.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer { transformer }
}

extension TransformerToEstimatorAdaptor: Sendable where Transformer: Sendable {}

/// A transformer that is ready, where an updatable estimator is wanted.
public typealias TransformerToUpdatableEstimatorAdaptor<Transformer> = TransformerToEstimatorAdaptor<Transformer>
where Transformer: KinemaCore.Transformer
