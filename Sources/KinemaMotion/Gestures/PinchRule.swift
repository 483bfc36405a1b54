public import Foundation

/// What counts as a pinch.
public enum PinchRule: Sendable, Hashable {
    /// The tips meet while the hand is neither a fist nor flat; measured in hand lengths and seconds.
    case strict(StrictPinchProcessor.Configuration = .init())
    /// The HandPose sample's rule: the tips are closer than a number of hand lengths for three frames.
    case sample(handLengths: Double = 0.3)
    /// The sample's rule in its own unit: closer than 40 points in a view of a size, for three frames.
    case viewPoints(_ distance: Double = 40, view: CGSize)

    /// How many frames in a row the sample believes.
    static let sampleEvidence = 3
    /// How long the sample remembers a hand that is out of view, seconds.
    static let sampleMemory: TimeInterval = 2
}

/// One hand's pinch by any rule.
struct PinchRecognizer: Sendable {
    private enum Processor {
        case strict(StrictPinchProcessor)
        case sample(HandGestureProcessor)
    }

    private let rule: PinchRule
    private var processor: Processor
    private var lastTime: TimeInterval?

    init(_ rule: PinchRule) {
        self.rule = rule
        processor =
            switch rule {
            case .strict(let configuration): .strict(StrictPinchProcessor(configuration: configuration))
            case .sample(let handLengths):
                .sample(
                    HandGestureProcessor(
                        pinchMaxDistance: handLengths, evidenceCounterStateTrigger: PinchRule.sampleEvidence))
            case .viewPoints(let distance, _):
                .sample(
                    HandGestureProcessor(
                        pinchMaxDistance: distance, evidenceCounterStateTrigger: PinchRule.sampleEvidence))
            }
    }

    /// After so long without the hand everything is forgotten, seconds.
    var memory: TimeInterval {
        if case .strict(let configuration) = rule { configuration.memory } else { PinchRule.sampleMemory }
    }

    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        // Time counts from the last observation, not from the first: the sample forgot to move it on.
        let isForgotten = lastTime.map { time - $0 > memory } ?? false
        lastTime = time
        switch processor {
        case .strict(var strict):
            let state = strict.process(shape, at: time)
            processor = .strict(strict)
            return state
        case .sample(var sample):
            if isForgotten { sample.reset() }
            let state = sample.processPointsPair(points(of: shape))
            processor = .sample(sample)
            return state
        }
    }

    private func points(of shape: HandShape) -> HandGestureProcessor.PointsPair {
        guard case .viewPoints(_, let view) = rule else { return (.zero, CGPoint(x: shape.gap, y: 0)) }
        func inView(_ point: CGPoint) -> CGPoint {
            CGPoint(x: point.x * view.width, y: (1 - point.y) * view.height)
        }
        return (inView(shape.thumbTip), inView(shape.indexTip))
    }
}

/// Tells a pinch from an open hand by the distance of two finger tips, as the HandPose sample does.
///
/// A state is believed after a number of frames that agree; until then it is only possible. The state is reported with
/// every pair of points, also when it stays as it was, because drawing goes on with it.
public struct HandGestureProcessor: Sendable {
    /// What the tips do.
    public enum State: String, Sendable, Hashable, CaseIterable, Codable {
        /// The tips are close, but not for long enough to believe it.
        case possiblePinch
        /// The tips are close.
        case pinched
        /// The tips are apart, but not for long enough to believe it.
        case possibleApart
        /// The tips are apart.
        case apart
        /// Nothing was seen yet, or not for some time.
        case unknown
    }

    /// The tips of thumb and index finger, in view points or any other unit that `pinchMaxDistance` is in.
    public typealias PointsPair = (thumbTip: CGPoint, indexTip: CGPoint)

    /// Called with every state, also an unchanged one.
    public var didChangeStateClosure: (@Sendable (State) -> Void)?
    /// What the tips do now.
    public private(set) var state = State.unknown
    /// The points the state was last told by.
    public private(set) var lastProcessedPointsPair = PointsPair(.zero, .zero)

    private let pinchMaxDistance: CGFloat
    private let evidenceCounterStateTrigger: Int
    private var pinchEvidenceCounter = 0
    private var apartEvidenceCounter = 0

    /// Makes a processor: tips closer than `pinchMaxDistance` (40 view points in the sample) speak for a pinch, and so
    /// many pairs in a row make it believed.
    public init(pinchMaxDistance: CGFloat = 40, evidenceCounterStateTrigger: Int = 3) {
        self.pinchMaxDistance = pinchMaxDistance
        self.evidenceCounterStateTrigger = evidenceCounterStateTrigger
    }

    /// Forgets everything: the state is unknown.
    public mutating func reset() {
        pinchEvidenceCounter = 0
        apartEvidenceCounter = 0
        assign(.unknown)
    }

    /// Takes the tips of the next frame and returns what they do now.
    @discardableResult
    public mutating func processPointsPair(_ pointsPair: PointsPair) -> State {
        lastProcessedPointsPair = pointsPair
        let distance = hypot(
            pointsPair.thumbTip.x - pointsPair.indexTip.x, pointsPair.thumbTip.y - pointsPair.indexTip.y)
        if distance < pinchMaxDistance {
            pinchEvidenceCounter += 1
            apartEvidenceCounter = 0
            assign(pinchEvidenceCounter >= evidenceCounterStateTrigger ? .pinched : .possiblePinch)
        } else {
            apartEvidenceCounter += 1
            pinchEvidenceCounter = 0
            assign(apartEvidenceCounter >= evidenceCounterStateTrigger ? .apart : .possibleApart)
        }
        return state
    }

    private mutating func assign(_ state: State) {
        self.state = state
        didChangeStateClosure?(state)
    }
}

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
