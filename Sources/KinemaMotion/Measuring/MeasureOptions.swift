import KinemaCore

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
    /// The longest gap that is filled, seconds.
    public var longestGap = 0.2
    /// The lowest confidence of a joint that is used; Sports2D's `keypoint_likelihood_threshold`.
    public var confidence = 0.3

    /// Creates options for a person of a height in metres.
    public init(height: Double? = nil) { self.height = height }
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

/// The floor in the picture.
public struct FloorLine: Codable, Sendable, Hashable {
    /// Degrees from the picture's lower edge; positive if the floor rises to the right.
    public var angle: Double
    /// The floor's height in the middle of the picture, in picture heights from the lower edge.
    public var height: Double

    /// Creates a floor from its angle in degrees and its height in the middle of the picture, 0...1.
    public init(angle: Double, height: Double) { (self.angle, self.height) = (angle, height) }
}

/// Body proportions as shares of the standing height.
enum BodyShare {
    /// From the lateral malleolus to the ground: Drillis and Contini (1966), in Winter (2009), figure 4.1.
    static let ankle = 0.039
    /// From the middle of heel and toe landmarks to the sole: measured on rendered figures.
    static let sole = 0.0125
    /// From hip to ankle: Drillis and Contini.
    static let leg = 0.491
    /// From the crown to ears, eyes, nose and to the midpoint of the shoulder joints: tragion, eye and acromial heights
    /// of ANSUR II (Gordon et al. 2014), means of women and men; rendered figures agree within 0.005.
    static let crown: [(joints: [JointKey], share: Double)] = [
        ([.leftEar, .rightEar], 0.075), ([.leftEye, .rightEye], 0.065), ([.nose], 0.086), ([.neck], 0.182),
    ]
}
