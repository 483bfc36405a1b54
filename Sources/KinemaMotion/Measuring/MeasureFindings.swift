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
}

/// A mean and its standard deviation.
public struct MeasureMean: Codable, Sendable, Hashable {
    /// The mean, and the standard deviation of the sample, 0 for one value.
    public var mean, spread: Double
    /// The mean of values; nil without values.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
        (self.mean, spread) = (mean, values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : 0)
    }
}

/// The findings of the tests; nil for those not run.
public struct MeasureTests: Codable, Sendable, Hashable {
    /// Walking or running.
    public var gait: GaitFinding?
    /// The jumps in order.
    public var jumps: [JumpFinding]?
    /// Standing up from a chair.
    public var sitToStand: SitToStandFinding?
    /// Timed up and go.
    public var upAndGo: UpAndGoFinding?
    /// Sway.
    public var balance: BalanceFinding?
    /// The lifts of a bar in order.
    public var barPath: [BarLift]?
    /// The range of each joint angle, by its name, in degrees.
    public var range: [String: RangeFinding]?

    package init() {}
}

/// Steps of walking or running.
public struct GaitFinding: Codable, Sendable, Hashable {
    /// One step: from the contact of the other foot to that of this one.
    public struct Step: Codable, Sendable, Hashable {
        /// The foot that lands, "left" or "right".
        public var side: String
        /// Seconds: the contact of the other foot, and that of this one.
        public var start, end: Double
        /// The distance between the resting heels along the floor, metres.
        public var length: Double?
    }

    /// Steps per minute.
    public var cadence: Double
    /// Metres per second, from the first contact to the last.
    public var speed: Double
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
    public var takeOff, landing, flightTime: Double
    /// Metres: g t²/8 of the flight time.
    public var heightByTime: Double
    /// Metres: the rise of the centre of mass from take-off to its highest point.
    public var heightByRise: Double?
    /// Flexion of the knees at landing, degrees: the mean of those seen from the side.
    public var kneeAtLanding: Double?
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

/// The sway of the centre of mass in the image plane.
public struct BalanceFinding: Codable, Sendable, Hashable {
    /// Seconds.
    public var duration: Double
    /// The path length along the floor, metres.
    public var path: Double
    /// Metres per second: path length over time.
    public var velocity: Double
    /// The distance between the extremes along the floor, metres.
    public var range: Double
    /// The standard deviation along the floor, metres.
    public var deviation: Double
    /// The area of the 95 % ellipse, along the floor and up, square metres.
    public var area: Double
}

/// One lift of a bar: the midpoint of the wrists, from 2 % to 98 % of the way up.
public struct BarLift: Codable, Sendable, Hashable {
    /// Seconds.
    public var start, end: Double
    /// Metres, from the lowest position to the highest.
    public var rise: Double
    /// The largest horizontal deviation from the start, along the floor, metres; positive to the picture's right.
    public var drift: Double
    /// Metres per second, upwards: the mean from start to end, and the largest.
    public var meanSpeed, peakSpeed: Double
}

/// The ends of a range of motion, degrees.
public struct RangeFinding: Codable, Sendable, Hashable {
    /// The angles below and above which the joint spends no more than 0.1 s in total.
    public var minimum, maximum: Double
}
