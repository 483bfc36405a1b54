public import Foundation
public import KinemaCore

extension Transformer {
    /// Always throws `unsupported`: Core ML models can only be made on Apple's systems.
    public func export(to url: URL) throws {
        throw KinemaError(
            .unsupported, "Core ML export needs Apple's frameworks; keep the transformer in Swift", file: url.path)
    }

    /// Always throws `unsupported`: Core ML models can only be made on Apple's systems.
    public func export(to url: URL, metadata: ModelMetadata) throws {
        try export(to: url)
    }
}

/// The metadata of an exported model.
public struct ModelMetadata: Hashable, Sendable {
    /// The model's purpose.
    public var description: String
    /// Its version.
    public var version: String
    /// The author.
    public var author: String
    /// Its licence.
    public var license: String
    /// Anything else, by name.
    public var creatorDefined: [String: String]

    /// Makes metadata; omitted values are empty.
    public init(
        description: String = "", version: String = "", author: String = "", license: String = "",
        creatorDefined: [String: String] = [:]
    ) {
        self.description = description
        self.version = version
        self.author = author
        self.license = license
        self.creatorDefined = creatorDefined
    }
}
