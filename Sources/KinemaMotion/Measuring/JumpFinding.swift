/// A jump with both feet.
public struct JumpFinding: Codable, Sendable, Hashable {
    /// Seconds.
    public var takeOff: Double
    /// Seconds.
    package var landing, flightTime: Double
    /// Metres: g t²/8 of the flight time.
    public var heightByTime: Double
    /// Metres: the rise of the centre of mass from take-off to its highest point.
    public var heightByRise: Double?
    /// Flexion of the knees at landing, degrees: the mean of those seen from the side.
    public var kneeAtLanding: Double?
}
