/// One lift of a bar: the midpoint of the wrists, from 2 % to 98 % of the way up.
public struct BarLift: Codable, Sendable, Hashable {
    /// Seconds.
    package var start, end: Double
    /// Metres, from the lowest position to the highest.
    public var rise: Double
    /// The largest horizontal deviation from the start, along the floor, metres; positive to the picture's right.
    public var drift: Double
    /// Metres per second, upwards: the mean from start to end.
    package var meanSpeed: Double
    /// The largest speed upwards, metres per second.
    public var peakSpeed: Double
}
