/// The revisions of requests that exist in their first one only.
public enum FirstRevision: String, Sendable, Hashable, CaseIterable, Codable {
    /// The current revision.
    case revision1
}
