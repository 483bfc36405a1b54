/// How a bag was thrown.
public enum ThrowType: String, CaseIterable, Codable, Sendable {
    /// From above the shoulder.
    case overhand = "Overhand"
    /// With the arm swung from below.
    case underhand = "Underhand"
    /// From below, under a lifted leg.
    case underleg = "Underleg"
    /// None of these, or the thrower was not seen.
    case none = "None"

    /// The type of a classifier's label, whatever its capitals; nil for a label that names none.
    public init?(label: String) {
        let name = label.lowercased()
        guard let type = ThrowType.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
        self = type
    }
}
