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

/// The ends of a range of motion, degrees.
public struct RangeFinding: Codable, Sendable, Hashable {
    /// The angles below and above which the joint spends no more than 0.1 s in total.
    public var minimum, maximum: Double
    /// The share of frames with a reading, and the mean confidence of these readings, 0...1.
    public var seen, confidence: Double
}

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

/// The start of a sprint from a set position.
public struct SprintFinding: Codable, Sendable, Hashable {
    /// One of the first steps: a foot leaves the ground and lands.
    public struct Step: Codable, Sendable, Hashable {
        /// The foot, "left" or "right".
        public var side: String
        /// Seconds: this foot leaves the ground, and touches it again.
        public var toeOff, contact: Double
        /// The speed of the hips along the floor at toe-off, metres per second.
        public var speed: Double
        /// Metres along the floor between the resting toes of the other foot and of this one.
        public var length: Double
    }

    /// The first movement of the hips out of the set position, seconds.
    public var firstMovement: Double
    /// The median angles of trunk, knees and hips in the set position, by their names, in degrees.
    public var angles: [String: Double]
    /// The first three steps in order, or fewer if fewer are seen.
    public var steps: [Step]
}

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
