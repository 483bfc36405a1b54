/// What is said about an exported model.
public struct ModelMetadata: Hashable, Sendable {
    /// What the model does.
    public var description: String
    /// Its version.
    public var version: String
    /// Who made it.
    public var author: String
    /// Under which licence it may be used.
    public var license: String
    /// Anything else, by name.
    public var creatorDefined: [String: String]

    /// Makes metadata; what is left out is empty.
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
