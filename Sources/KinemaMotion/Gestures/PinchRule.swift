public import Foundation

/// A rule that defines a pinch.
public enum PinchRule: Sendable, Hashable {
    /// One score of named quantities decides, with weights fitted to recordings; the default.
    case scored(ScoredPinchProcessor.Configuration = .init())
    /// The tips meet while the hand is neither a fist nor flat, measured in hand lengths and seconds.
    case strict(StrictPinchProcessor.Configuration = .init())
    /// The HandPose sample's rule: the tips are closer than a number of hand lengths for three frames.
    case sample(handLengths: Double = 0.3)
    /// The sample's rule in its own unit: the tips are closer than 40 points in a view of the given size for three
    /// frames.
    case viewPoints(_ distance: Double = 40, view: CGSize)

    /// The number of consecutive frames that confirm a state in the sample.
    static let sampleEvidence = 3
    /// How long the sample remembers a hand that is out of view, in seconds.
    static let sampleMemory: TimeInterval = 2
}

/// Recognises the pinch of one hand by any rule.
struct PinchRecognizer: Sendable {
    private enum Processor {
        case scored(ScoredPinchProcessor)
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
            case .scored(let configuration): .scored(ScoredPinchProcessor(configuration: configuration))
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

    /// How long a hand may be out of view before its state is reset, in seconds.
    var memory: TimeInterval {
        switch rule {
        case .scored(let configuration): configuration.memory
        case .strict(let configuration): configuration.memory
        case .sample, .viewPoints: PinchRule.sampleMemory
        }
    }

    /// How long after a pinch closed its start may move on, seconds, and how much closer the tips must come for that.
    var settling: (time: TimeInterval, step: Double) {
        if case .scored(let configuration) = rule {
            (configuration.settling, configuration.settlingStep)
        } else {
            (0, 0)
        }
    }

    /// What the last frame showed; nil with a rule that has no score.
    var evidence: PinchEvidence? {
        if case .scored(let scored) = processor { scored.evidence } else { nil }
    }

    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        // Measure from the last observation; the sample measures from the first, which is a bug.
        let isForgotten = lastTime.map { time - $0 > memory } ?? false
        lastTime = time
        switch processor {
        case .scored(var scored):
            let state = scored.process(shape, at: time)
            processor = .scored(scored)
            return state
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

/// Distinguishes a pinch from an open hand by the distance of two finger tips, as in the HandPose sample.
///
/// A number of consecutive frames confirms a state; until then it is only possible. The state is reported with every
/// pair of points, even if it has not changed, because drawing continues with it.
public struct HandGestureProcessor: Sendable {
    /// The state of the finger tips.
    public enum State: String, Sendable, Hashable, CaseIterable, Codable {
        /// The tips are close, but not confirmed yet.
        case possiblePinch
        /// The tips are close.
        case pinched
        /// The tips are apart, but not confirmed yet.
        case possibleApart
        /// The tips are apart.
        case apart
        /// The hand has not been seen yet, or not for some time.
        case unknown
    }

    /// The tips of thumb and index finger, in view points or in any other unit that matches `pinchMaxDistance`.
    public typealias PointsPair = (thumbTip: CGPoint, indexTip: CGPoint)

    /// Called with every state, even if it has not changed.
    public var didChangeStateClosure: (@Sendable (State) -> Void)?
    /// The current state.
    public private(set) var state = State.unknown
    /// The points of the last update.
    public private(set) var lastProcessedPointsPair = PointsPair(.zero, .zero)

    private let pinchMaxDistance: CGFloat
    private let evidenceCounterStateTrigger: Int
    private var pinchEvidenceCounter = 0
    private var apartEvidenceCounter = 0

    /// Makes a processor: tips closer than `pinchMaxDistance` (40 view points in the sample) indicate a pinch, and
    /// `evidenceCounterStateTrigger` consecutive pairs confirm it.
    public init(pinchMaxDistance: CGFloat = 40, evidenceCounterStateTrigger: Int = 3) {
        self.pinchMaxDistance = pinchMaxDistance
        self.evidenceCounterStateTrigger = evidenceCounterStateTrigger
    }

    /// Resets the state to unknown.
    public mutating func reset() {
        pinchEvidenceCounter = 0
        apartEvidenceCounter = 0
        assign(.unknown)
    }

    /// Takes the tips of the next frame and returns the new state.
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

/// Distinguishes a pinch from other hand shapes with close finger tips: a fist, a flat hand or a hand at rest.
///
/// In a pinch the tips meet away from the palm; in a fist they meet at the palm. In hands whose thumb and fingers lie
/// side by side, the model's tips come close without meeting. So the nearer to the palm the tips are, the closer they
/// must be. A pinch also requires that the hand was open before. Evidence counts in time, not in frames.
public struct StrictPinchProcessor: Sendable {
    /// The parameters of the rule, in hand lengths (wrist to middle knuckle) and seconds.
    public struct Configuration: Sendable, Hashable {
        /// The reach below which tips never pinch. Fists in the ASL clips reach 0.33 to 0.54 from the index finger's
        /// knuckle, pinches 0.66 to 0.71.
        public var palmReach: Double
        /// How much the maximum gap grows per hand length of reach. At the clips' pinches this gives 0.375 for gaps of
        /// 0.22 to 0.31; at their resting hands, 0.2 for gaps of 0.23 and more.
        public var gapPerReach: Double
        /// The largest gap of a pinch at any reach.
        public var maximumGap: Double
        /// The gap beyond which the tips are apart; between the pinch gap and this one the state does not change.
        public var apartGap: Double
        /// How long the tips must be together or apart to confirm a state: two frames at 30 fps.
        public var evidence: TimeInterval
        /// How long the hand may be out of view before the state is reset; 2 in the HandPose sample.
        public var memory: TimeInterval

        /// Makes a configuration; the defaults were measured on recordings.
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

    /// The parameters of the rule.
    public let configuration: Configuration
    /// The current state.
    public private(set) var state = HandGestureProcessor.State.unknown

    private var isPinched = false
    private var wasApart = false
    /// When the observations began to contradict the state.
    private var contradictionStart: TimeInterval?
    private var lastTime: TimeInterval?

    /// Makes a processor in the unknown state.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Resets the state to unknown.
    public mutating func reset() {
        self = StrictPinchProcessor(configuration: configuration)
    }

    /// Takes the hand in the next frame at a time in seconds and returns the new state.
    @discardableResult
    public mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        if let lastTime, time - lastTime > configuration.memory || time <= lastTime { reset() }
        lastTime = time
        let isApart = shape.gap > configuration.apartGap
        let contradicts = isPinched ? isApart : wasApart && touches(shape)
        if isApart { wasApart = true }
        guard contradicts else {
            contradictionStart = nil
            state = isPinched ? .pinched : wasApart ? .apart : .unknown
            return state
        }
        let since = contradictionStart ?? time
        contradictionStart = since
        // At least two frames, however long they are; the tolerance allows for rounded times.
        if time > since, time - since >= configuration.evidence - 1e-3 {
            isPinched.toggle()
            contradictionStart = nil
            state = isPinched ? .pinched : .apart
        } else {
            state = isPinched ? .possibleApart : .possiblePinch
        }
        return state
    }

    private func touches(_ shape: HandShape) -> Bool {
        let limit = (shape.reach - configuration.palmReach) * configuration.gapPerReach
        return shape.gap < min(limit, configuration.maximumGap)
    }
}
