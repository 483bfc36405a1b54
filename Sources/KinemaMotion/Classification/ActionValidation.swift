/// The clips that training holds out, to choose settings and to measure accuracy.
public enum ActionValidation: Hashable, Sendable {
    /// Each person in turn, or each clip where people are unknown; the classifier is trained on all clips.
    case automatic
    /// Nothing; the settings are the trainer's.
    case none
    /// People, or clips where they are unknown, with about this share of the clips of each class, 0.05...0.5.
    case split(Double)
}
