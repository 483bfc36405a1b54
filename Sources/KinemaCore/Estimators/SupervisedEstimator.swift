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
