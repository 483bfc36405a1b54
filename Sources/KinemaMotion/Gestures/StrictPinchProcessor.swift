public import Foundation

/// Tells a pinch from everything else two finger tips do close together: a fist, a flat or a resting hand.
///
/// In a pinch the tips meet out in the open. In a fist they meet at the palm, and where thumb and fingers only lie side
/// by side, the model's tips come close without meeting. So the nearer to the palm the tips are, the closer they must
/// be; and a pinch is a closing: the hand must have been seen open before. Evidence counts in time, not in frames.
public struct StrictPinchProcessor: Sendable {
    /// The rule's numbers, in hand lengths (wrist to middle knuckle) and seconds.
    public struct Configuration: Sendable, Hashable {
        /// Tips nearer to the index finger's knuckle than this never pinch: in fists of the ASL clips they are 0.33 to
        /// 0.54 away, in their pinches 0.66 to 0.71.
        public var palmReach: Double
        /// How much the gap may grow for each hand length the tips are further out; 0.375 at the clips' pinches, whose
        /// gaps are 0.22 to 0.31, and 0.2 at their resting hands, whose gaps are 0.23 and more.
        public var gapPerReach: Double
        /// However far out the tips are, a larger gap is no pinch.
        public var maximumGap: Double
        /// Beyond this the tips are apart; between this and the above nothing changes.
        public var apartGap: Double
        /// How long the tips must be together, or apart, to be believed; two frames at 30 a second.
        public var evidence: TimeInterval
        /// After so long without the hand everything is forgotten; 2 in the HandPose sample.
        public var memory: TimeInterval

        /// Makes a configuration; the defaults are measured on recordings.
        public init(
            palmReach: Double = 0.36, gapPerReach: Double = 1.25, maximumGap: Double = 0.36, apartGap: Double = 0.42,
            evidence: TimeInterval = 0.03, memory: TimeInterval = 2
        ) {
            self.palmReach = palmReach
            self.gapPerReach = gapPerReach
            self.maximumGap = maximumGap
            self.apartGap = apartGap
            self.evidence = evidence
            self.memory = memory
        }
    }

    /// The rule's numbers.
    public let configuration: Configuration
    /// What the tips do now.
    public private(set) var state = HandGestureProcessor.State.unknown

    private var isPinched = false
    private var wasApart = false
    /// Since when what is seen speaks against what is believed.
    private var doubt: TimeInterval?
    private var lastTime: TimeInterval?

    /// Makes a processor that knows nothing yet.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Forgets everything: the state is unknown.
    public mutating func reset() {
        self = StrictPinchProcessor(configuration: configuration)
    }

    /// Takes the hand in the next frame, at a time in seconds, and returns what its tips do now.
    @discardableResult
    public mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        if let lastTime, time - lastTime > configuration.memory || time <= lastTime { reset() }
        lastTime = time
        let isApart = shape.gap > configuration.apartGap
        let isContrary = isPinched ? isApart : wasApart && touches(shape)
        if isApart { wasApart = true }
        guard isContrary else {
            doubt = nil
            state = isPinched ? .pinched : wasApart ? .apart : .unknown
            return state
        }
        let since = doubt ?? time
        doubt = since
        // Two frames at least, however long they are; the tolerance is for times that were rounded.
        if time > since, time - since >= configuration.evidence - 1e-3 {
            isPinched.toggle()
            doubt = nil
            state = isPinched ? .pinched : .apart
        } else {
            state = isPinched ? .possibleApart : .possiblePinch
        }
        return state
    }

    private func touches(_ shape: HandShape) -> Bool {
        let room = (shape.reach - configuration.palmReach) * configuration.gapPerReach
        return shape.gap < min(room, configuration.maximumGap)
    }
}
