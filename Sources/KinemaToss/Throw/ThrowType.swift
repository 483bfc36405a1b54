/// The types of throws.
package enum ThrowType: String, CaseIterable, Codable, Sendable {
    /// The hand above the shoulder.
    case overhand = "Overhand"
    /// The arm swung from below.
    case underhand = "Underhand"
    /// The arm swung from below, under a lifted leg.
    case underleg = "Underleg"
    /// None of these, or the thrower was not in view.
    case none = "None"

    /// Parses a classifier's label, ignoring case; nil if it names no throw type.
    init?(label: String) {
        let name = label.lowercased()
        guard let type = ThrowType.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        self = type
    }
}
