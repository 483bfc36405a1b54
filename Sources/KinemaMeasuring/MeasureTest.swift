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
    /// The start of a sprint.
    public var sprint: SprintFinding?
    /// The range of each joint angle, by its name, in degrees.
    public var range: [String: RangeFinding]?

    package init() {}
}

/// The side from which the camera sees the person.
public enum MeasureView: String, Codable, Sendable, Hashable, CaseIterable {
    /// From the left or the right: angles of flexion.
    case side
    /// From the front or the back: angles of abduction and the level of pelvis and shoulders.
    case front
    /// In between: no joint angles.
    case oblique
}

/// What to measure and how.
public struct MeasureOptions: Sendable, Hashable {
    /// The standing height of the person without shoes, metres; may be nil if `metresPerUnit` gives the scale.
    public var height: Double?
    /// Metres per image height, from a length marked in the image; nil to derive it from the person's height.
    public var metresPerUnit: Double?
    /// The view of the person; nil to detect it.
    public var view: MeasureView?
    /// The floor; nil to detect it from the feet at rest.
    public var floor: FloorLine?
    /// The low-pass filter of positions.
    public var filter = MeasureFilter.standard
    /// The tests to run; empty for those that the movement allows.
    public var tests: Set<MeasureTest> = []
    /// The speed of the treadmill on which the person walks or runs, metres per second; nil if unknown or none.
    public var treadmill: Double?
    /// The longest gap that is filled, seconds.
    package var longestGap = 0.2
    /// The lowest confidence of a joint that is used; Sports2D's `keypoint_likelihood_threshold`.
    package var confidence = 0.3

    /// Creates options for a person of a height in metres.
    public init(height: Double? = nil) { self.height = height }
}

/// The low-pass filter of positions.
public enum MeasureFilter: Sendable, Hashable {
    /// Positions as detected: no filter, no outliers removed, no gaps filled.
    case none
    /// Zero-lag Butterworth of order 4: order 2 forwards and backwards, as in Sports2D; the cut-off in hertz.
    case butterworth(Double)

    /// 6 Hz, the default of Sports2D and usual for walking (Winter, "Biomechanics and Motor Control", 2009).
    package static let standard = MeasureFilter.butterworth(6)
}

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

/// One quantity over time.
public struct MeasuredQuantity: Codable, Sendable, Hashable {
    /// The unit: "deg", "deg/s", "m", "m/s".
    public var unit: String
    /// One value for each time; nil where unknown.
    public var values: [Double?]
    /// The lowest confidence of the joints used, 0...1; 0 where the value is filled, replaced or missing.
    public var confidence: [Double]
}
