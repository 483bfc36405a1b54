package enum BodySide: String, Sendable, Hashable, CaseIterable, Codable {
    /// The person's own left or right.
    case left, right
}
