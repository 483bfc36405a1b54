public import Foundation

/// Fits a transformer to annotated examples.
public protocol SupervisedEstimator<Transformer, Annotation> {
    /// The transformer to fit.
    associatedtype Transformer: KinemaCore.Transformer
    /// What is known about an example.
    associatedtype Annotation: Equatable

    /// Fits a transformer to annotated examples, by default without validation.
    func fitted<Input>(to input: Input, eventHandler: EventHandler?) async throws -> Transformer
    where Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>

    /// Fits a transformer to annotated examples and validates it on others.
    func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler?
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>

    /// Encodes a fitted transformer; by default the transformer itself if it is `Codable`.
    func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Decodes a fitted transformer; by default the transformer itself if it is `Codable`.
    func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension SupervisedEstimator {
    /// Fits a transformer to annotated examples without validation.
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

    /// Writes a fitted transformer to a file; throws `unwritableOutput` on failure.
    public func write(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encode(transformer, to: &$0) }
    }

    /// Reads a transformer written by `write`; throws `unreadableInput` on failure.
    public func read(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decode(from: &$0) }
    }
}

extension SupervisedEstimator where Transformer: Encodable {
    /// Encodes the transformer itself.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encoder.encode(transformer)
    }
}

extension SupervisedEstimator where Transformer: Decodable {
    /// Decodes the transformer itself.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decoder.decode(Transformer.self)
    }
}

/// An estimator as a supervised one: it is fitted to the features and ignores the annotations.
public struct EstimatorToSupervisedAdaptor<Estimator, Annotation>: SupervisedEstimator
where Estimator: KinemaCore.Estimator, Annotation: Equatable {
    /// The transformer to fit.
    public typealias Transformer = Estimator.Transformer

    /// The estimator to fit.
    public var estimator: Estimator

    /// Adapts an estimator.
    public init(_ estimator: Estimator) {
        self.estimator = estimator
    }

    /// Fits the estimator to the features, without validation.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>
    {
        try await estimator.fitted(to: input.lazy.map(\.feature), eventHandler: eventHandler)
    }

    /// Encodes the transformer as the estimator does.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try estimator.encode(transformer, to: &encoder)
    }

    /// Decodes the transformer as the estimator does.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try estimator.decode(from: &decoder)
    }
}

extension EstimatorToSupervisedAdaptor: UpdatableSupervisedEstimator where Estimator: UpdatableEstimator {
    /// A transformer that is not fitted yet.
    public func makeTransformer() -> Transformer { estimator.makeTransformer() }

    /// Updates a transformer with the features.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await estimator.update(&transformer, with: input.lazy.map(\.feature), eventHandler: eventHandler)
    }

    /// Encodes the transformer and its optimizer as the estimator does.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try estimator.encodeWithOptimizer(transformer, to: &encoder)
    }

    /// Decodes the transformer and its optimizer as the estimator does.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try estimator.decodeWithOptimizer(from: &decoder)
    }
}

extension EstimatorToSupervisedAdaptor: Sendable where Estimator: Sendable {}

/// An updatable estimator as an updatable supervised one.
public typealias UpdatableEstimatorToSupervisedAdaptor<Estimator, Annotation> =
    EstimatorToSupervisedAdaptor<Estimator, Annotation>
where Estimator: UpdatableEstimator, Annotation: Equatable

/// A finished transformer as an estimator: fitting returns it unchanged.
public struct TransformerToEstimatorAdaptor<Transformer>: UpdatableEstimator
where Transformer: KinemaCore.Transformer {
    /// The transformer that fitting returns.
    public let transformer: Transformer

    /// Adapts a transformer.
    public init(_ transformer: Transformer) {
        self.transformer = transformer
    }

    /// Returns the transformer unchanged.
    public func fitted<InputSequence>(
        to input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        transformer
    }

    /// Returns the transformer unchanged.
    public func makeTransformer() -> Transformer { transformer }

    /// Changes nothing.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {}

    /// Writes nothing, because the transformer is known.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {}

    /// Returns the transformer unchanged.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer { transformer }
}

extension TransformerToEstimatorAdaptor: Sendable where Transformer: Sendable {}

/// A finished transformer as an updatable estimator.
public typealias TransformerToUpdatableEstimatorAdaptor<Transformer> = TransformerToEstimatorAdaptor<Transformer>
where Transformer: KinemaCore.Transformer
