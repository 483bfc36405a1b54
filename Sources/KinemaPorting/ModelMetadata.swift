public import Foundation
public import KinemaCore

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
