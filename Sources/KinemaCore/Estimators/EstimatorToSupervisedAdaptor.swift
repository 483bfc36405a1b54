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
