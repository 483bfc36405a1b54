/// The revisions of requests that exist in their third one only.
public enum ThirdRevision: String, Sendable, Hashable, CaseIterable, Codable {
    /// The current revision.
    case revision3
}
