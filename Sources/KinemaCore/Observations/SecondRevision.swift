/// The revisions of requests that exist in their second one only.
public enum SecondRevision: String, Sendable, Hashable, CaseIterable, Codable {
    /// The current revision.
    case revision2
}
