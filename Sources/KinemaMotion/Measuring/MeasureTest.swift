/// A test of movement.
public enum MeasureTest: String, Codable, Sendable, Hashable, CaseIterable {
    /// Steps of walking or running.
    case gait
    /// Jumps with both feet.
    case jump
    /// Standing up from a chair.
    case sitToStand = "sit-to-stand"
    /// Timed up and go.
    case upAndGo = "tug"
    /// Sway while standing.
    case balance
    /// Range of motion.
    case range
    /// The path of a bar held in both hands; only on request.
    case barPath = "bar-path"
    /// The start of a sprint from a set position; only on request.
    case sprint
}
