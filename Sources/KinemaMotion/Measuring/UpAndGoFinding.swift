/// Timed up and go: seconds in total and for each phase.
public struct UpAndGoFinding: Codable, Sendable, Hashable {
    /// From the trunk's first movement to resting on the seat again.
    public var total: Double
    /// From the first movement to standing, from there to the turn, and the turn itself, slower than half the walking
    /// speed.
    public var rise, walkOut, turn: Double
    /// From the turn to the chair, and from there to sitting, including the turn before it.
    public var walkBack, sitDown: Double
}
