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
