/// Standing up from a chair.
public struct SitToStandFinding: Codable, Sendable, Hashable {
    /// The number of times that the person stood up.
    public var count: Int
    /// Seconds of each rise, from the trunk's first movement to standing at rest.
    public var riseTime: MeasureMean?
    /// Seconds from the first movement to resting on the seat for the fifth time; nil for fewer.
    public var fiveTimes: Double?
    /// The number of stands within 30 s of the first movement; nil for a shorter recording.
    public var thirtySeconds: Int?
}
