/// An event in a movement.
public struct MeasureEvent: Codable, Sendable, Hashable {
    /// The kind of event.
    public enum Kind: String, Codable, Sendable, Hashable {
        /// A foot touches the ground.
        case contact
        /// A foot leaves the ground.
        case toeOff = "toe-off"
        /// Both feet leave the ground for a jump.
        case takeOff = "take-off"
        /// The first foot touches the ground after a jump.
        case landing
        /// A person stands after sitting.
        case stand
        /// A person sits after standing.
        case sit
    }

    /// The kind.
    public var kind: Kind
    /// The person's side, "left" or "right"; nil for both.
    public var side: String?
    /// Seconds.
    public var time: Double
    /// The mean confidence of the joints that show it at that moment, 0...1: those of the foot or feet, or the hips for
    /// standing up and sitting down.
    public var confidence: Double
}
