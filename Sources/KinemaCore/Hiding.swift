/// What is hidden of people in pictures that are shown to others.
package enum Hiding: String, Sendable, Hashable, CaseIterable, Codable {
    /// Heads, behind plain squares.
    case faces
    /// Whole people, behind their silhouettes.
    case people
    /// Everything but people.
    case background
}
