/// The sway of the centre of mass in the image plane.
public struct BalanceFinding: Codable, Sendable, Hashable {
    /// Seconds.
    package var duration: Double
    /// The path length along the floor, metres.
    public var path: Double
    /// Metres per second: path length over time.
    package var velocity: Double
    /// The distance between the extremes along the floor, metres.
    public var range: Double
    /// The standard deviation along the floor, metres.
    package var deviation: Double
    /// The area of the 95 % ellipse, along the floor and up, square metres.
    public var area: Double
}
