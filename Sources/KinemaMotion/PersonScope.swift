/// The people to track: everyone, or the one person for whom the camera is set up.
public enum PersonScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// Everyone in view, each separately.
    case all
    /// The most prominent person.
    case prominent
}
