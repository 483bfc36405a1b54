public import Foundation

/// Makes a transformer by fitting it to examples.
public protocol Estimator<Transformer> {
    /// What fitting makes.
    associatedtype Transformer: KinemaCore.Transformer

    /// Fits a transformer to a sequence of examples, reporting progress to the handler if there is one.
    func fitted<InputSequence>(to input: InputSequence, eventHandler: EventHandler?) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input

    /// Hands a fitted transformer's values to an encoder; by default the transformer itself if it is `Codable`.
    func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Makes a fitted transformer of a decoder's values; by default the transformer itself if it is `Codable`.
    func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension Estimator {
    /// Fits a transformer to a sequence of examples.
    public func fitted<InputSequence>(to input: InputSequence) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await fitted(to: input, eventHandler: nil)
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

extension Estimator where Transformer: Encodable {
    /// Hands the transformer to an encoder.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encoder.encode(transformer)
    }
}

extension Estimator where Transformer: Decodable {
    /// Takes the transformer from a decoder.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decoder.decode(Transformer.self)
    }
}

extension KinemaError {
    static func notCodable(_ type: any Any.Type) -> KinemaError {
        KinemaError(.unsupported, "\(type) cannot be stored; make it Codable or implement encode and decode")
    }
}

extension Transformer {
    /// An estimator to whose examples this transformer is applied first.
    public func appending<Other>(_ other: Other) -> PreprocessingEstimator<Self, Other>
    where Other: Estimator, Output == Other.Transformer.Input {
        PreprocessingEstimator(self, other)
    }

    /// A supervised estimator to whose features this transformer is applied first.
    public func appending<Other>(_ other: Other) -> PreprocessingSupervisedEstimator<Self, Other>
    where Other: SupervisedEstimator, Output == Other.Transformer.Input {
        PreprocessingSupervisedEstimator(self, other)
    }

    /// This transformer where an estimator is wanted; fitting returns it as it is.
    public func adaptedAsEstimator() -> TransformerToEstimatorAdaptor<Self> {
        TransformerToEstimatorAdaptor(self)
    }

    /// This transformer where an updatable estimator is wanted; fitting returns it as it is.
    public func adaptedAsUpdatableEstimator() -> TransformerToUpdatableEstimatorAdaptor<Self> {
        TransformerToEstimatorAdaptor(self)
    }
}

/// What may follow an estimator; the result can be updated when both parts can.
extension Estimator {
    /// An estimator whose fitted transformer is followed by another transformer.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedEstimator<Self, TransformerToEstimatorAdaptor<Other>>
    where Other: KinemaCore.Transformer, Transformer.Output == Other.Input {
        ComposedEstimator(self, other.adaptedAsEstimator())
    }

    /// An estimator that fits this one and then the other.
    public func appending<Other>(_ other: Other) -> ComposedEstimator<Self, Other>
    where Other: Estimator, Transformer.Output == Other.Transformer.Input {
        ComposedEstimator(self, other)
    }

    /// A supervised estimator that fits this one to the features and then the other.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<EstimatorToSupervisedAdaptor<Self, Other.Annotation>, Other>
    where Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(adaptedAsSupervised(annotationType: Other.Annotation.self), other)
    }

    /// This estimator where a supervised one is wanted; annotations are left out.
    public func adaptedAsSupervised<Annotation>(
        annotationType: Annotation.Type
    ) -> EstimatorToSupervisedAdaptor<Self, Annotation> where Annotation: Equatable {
        EstimatorToSupervisedAdaptor(self)
    }
}

/// What may follow a supervised estimator; the result can be updated when both parts can.
extension SupervisedEstimator {
    /// A supervised estimator whose fitted transformer is followed by another transformer.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<
        Self, EstimatorToSupervisedAdaptor<TransformerToEstimatorAdaptor<Other>, Annotation>
    > where Other: KinemaCore.Transformer, Transformer.Output == Other.Input {
        appending(other.adaptedAsEstimator())
    }

    /// A supervised estimator that fits this one and then the other to the features.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<Self, EstimatorToSupervisedAdaptor<Other, Annotation>>
    where Other: Estimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(self, other.adaptedAsSupervised(annotationType: Annotation.self))
    }

    /// A supervised estimator that fits this one and then the other.
    public func appending<Other>(_ other: Other) -> ComposedSupervisedEstimator<Self, Other>
    where
        Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input, Annotation == Other.Annotation
    {
        ComposedSupervisedEstimator(self, other)
    }
}
