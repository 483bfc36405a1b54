public import Foundation

/// Fits a transformer to examples.
public protocol Estimator<Transformer> {
    /// The transformer to fit.
    associatedtype Transformer: KinemaCore.Transformer

    /// Fits a transformer to examples and reports progress to the handler, if there is one.
    func fitted<InputSequence>(to input: InputSequence, eventHandler: EventHandler?) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input

    /// Encodes a fitted transformer; by default the transformer itself if it is `Codable`.
    func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Decodes a fitted transformer; by default the transformer itself if it is `Codable`.
    func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension Estimator {
    /// Fits a transformer to examples.
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

    /// Writes a fitted transformer to a file; throws `unwritableOutput` on failure.
    public func write(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encode(transformer, to: &$0) }
    }

    /// Reads a transformer written by `write`; throws `unreadableInput` on failure.
    public func read(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decode(from: &$0) }
    }
}

extension Estimator where Transformer: Encodable {
    /// Encodes the transformer itself.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encoder.encode(transformer)
    }
}

extension Estimator where Transformer: Decodable {
    /// Decodes the transformer itself.
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
    /// An estimator whose examples first pass through this transformer.
    public func appending<Other>(_ other: Other) -> PreprocessingEstimator<Self, Other>
    where Other: Estimator, Output == Other.Transformer.Input {
        PreprocessingEstimator(self, other)
    }

    /// A supervised estimator whose features first pass through this transformer.
    public func appending<Other>(_ other: Other) -> PreprocessingSupervisedEstimator<Self, Other>
    where Other: SupervisedEstimator, Output == Other.Transformer.Input {
        PreprocessingSupervisedEstimator(self, other)
    }

    /// This transformer as an estimator; fitting returns it unchanged.
    public func adaptedAsEstimator() -> TransformerToEstimatorAdaptor<Self> {
        TransformerToEstimatorAdaptor(self)
    }

    /// This transformer as an updatable estimator; fitting returns it unchanged.
    public func adaptedAsUpdatableEstimator() -> TransformerToUpdatableEstimatorAdaptor<Self> {
        TransformerToEstimatorAdaptor(self)
    }
}

/// Chains an estimator with others; the result can be updated if both parts can.
extension Estimator {
    /// This estimator, whose fitted transformer is followed by another transformer.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedEstimator<Self, TransformerToEstimatorAdaptor<Other>>
    where Other: KinemaCore.Transformer, Transformer.Output == Other.Input {
        ComposedEstimator(self, other.adaptedAsEstimator())
    }

    /// This estimator followed by another one.
    public func appending<Other>(_ other: Other) -> ComposedEstimator<Self, Other>
    where Other: Estimator, Transformer.Output == Other.Transformer.Input {
        ComposedEstimator(self, other)
    }

    /// This estimator, fitted to the features, followed by a supervised one.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<EstimatorToSupervisedAdaptor<Self, Other.Annotation>, Other>
    where Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(adaptedAsSupervised(annotationType: Other.Annotation.self), other)
    }

    /// This estimator as a supervised one that ignores annotations.
    public func adaptedAsSupervised<Annotation>(
        annotationType: Annotation.Type
    ) -> EstimatorToSupervisedAdaptor<Self, Annotation> where Annotation: Equatable {
        EstimatorToSupervisedAdaptor(self)
    }
}

/// Chains a supervised estimator with others; the result can be updated if both parts can.
extension SupervisedEstimator {
    /// This estimator, whose fitted transformer is followed by another transformer.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<
        Self, EstimatorToSupervisedAdaptor<TransformerToEstimatorAdaptor<Other>, Annotation>
    > where Other: KinemaCore.Transformer, Transformer.Output == Other.Input {
        appending(other.adaptedAsEstimator())
    }

    /// This estimator followed by one that is fitted to the features.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedSupervisedEstimator<Self, EstimatorToSupervisedAdaptor<Other, Annotation>>
    where Other: Estimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(self, other.adaptedAsSupervised(annotationType: Annotation.self))
    }

    /// This estimator followed by another supervised one.
    public func appending<Other>(_ other: Other) -> ComposedSupervisedEstimator<Self, Other>
    where
        Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input, Annotation == Other.Annotation
    {
        ComposedSupervisedEstimator(self, other)
    }
}
