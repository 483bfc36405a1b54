/// The side from which the camera sees the person.
public enum MeasureView: String, Codable, Sendable, Hashable, CaseIterable {
    /// From the left or the right: angles of flexion.
    case side
    /// From the front or the back: angles of abduction and the level of pelvis and shoulders.
    case front
    /// In between: no joint angles.
    case oblique
}
