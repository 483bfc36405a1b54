/// Steps of walking or running.
public struct GaitFinding: Codable, Sendable, Hashable {
    /// One step: from the contact of the other foot to that of this one.
    public struct Step: Codable, Sendable, Hashable {
        /// The foot that lands, "left" or "right".
        public var side: String
        /// Seconds: the contact of the other foot.
        package var start: Double
        /// Seconds: the contact of this foot.
        public var end: Double
        /// The distance between the resting heels along the floor, metres.
        public var length: Double?
        /// Why there is no length, in words; absent with one.
        public var unseen: String?
    }

    /// Steps per minute.
    public var cadence: Double
    /// Metres per second, from the first contact to the last; nil on a treadmill of unknown speed.
    public var speed: Double?
    /// Metres.
    public var stepLength: MeasureMean?
    /// Seconds.
    public var stepTime: MeasureMean
    /// The share of a stride in which the foot is on the ground, 0...1.
    public var stance: MeasureMean?
    /// The difference between the mean step times of left and right as a share of their mean (Robinson et al. 1987); 0 is
    /// symmetric. Nil without steps of both sides.
    public var symmetry: Double?
    /// The steps in order.
    public var steps: [Step]
}
