public import Foundation

/// Distinguishes a pinch from other hand shapes by one score, with weights fitted to recordings.
///
/// Each frame gives the log-odds that the tips touch (`PinchEvidence`). Their average over time, not frames, closes the
/// pinch above one limit and opens it below another, so any webcam resolves four taps a second.
struct ScoredPinchProcessor: Sendable {
    /// The parameters, in log-odds, seconds and hand lengths (wrist to middle knuckle).
    struct Configuration: Sendable, Hashable {
        /// The average score above which the tips have met: odds of 11 to 3.
        var closing = 1.3
        /// The average score below which they are apart again.
        var opening = -0.5
        /// The time over which scores are averaged: one frame at 30 frames a second.
        var response = 0.03
        /// The memory of the distance between the tips, in seconds.
        var openingMemory: TimeInterval = 2
        /// The initial opening of a new hand: neither open nor at rest, so that a clip may begin with a pinch.
        var unknownOpening = 0.6
        /// The time after closing within which a pinch's start may move while the tips still come closer, seconds.
        var settling = 0.1
        /// The minimum approach of the tips for that, hand lengths: more than landmark jitter.
        var settlingStep = 0.08
        /// Tips within this gap count as touching once they rest, hand lengths: four centimetres, less than the nearest of
        /// the near pinches in the tests. A hand that sets a value by the distance of its tips often stops there.
        var restingGap = 0.42
        /// The time they have to rest for that, seconds.
        var resting = 0.15
        /// What resting tips need to count as touching: the hand was this wide open, the tips are this far from the
        /// knuckle and this near in depth, hand lengths. A hand at rest lacks it; chosen on recordings of exercises, in
        /// which no hand pinches.
        var restingOpening = 0.75, restingReach = 0.6, restingDepth = 0.3
        /// The gap in the picture below which tips that do not pinch are given a reason.
        var nearGap = 0.35
    }

    let configuration: Configuration
    private(set) var state = HandGestureProcessor.State.unknown
    private(set) var evidence: PinchEvidence?

    private var isPinched = false
    /// The recent distance between the tips, hand lengths.
    private var opening: Double
    private var average = Self.unknownScore
    private var lastTime: TimeInterval?
    /// Since when the tips rest near each other; nil while they do not.
    private var restStart: TimeInterval?
    /// How far apart they were then, hand lengths.
    private var restGap = Double.infinity

    /// The score before the first frame: more likely apart.
    private static let unknownScore = -1.0
    /// The assumed duration of the first frame, seconds.
    private static let firstFrame = 1.0 / 30
    /// The widest opening that counts, hand lengths.
    private static let widestOpening = 1.5

    init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        opening = configuration.unknownOpening
    }

    /// Takes the hand in the next frame at a time in seconds and returns the new state.
    @discardableResult
    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        if let lastTime, time - lastTime > PinchRule.memory || time <= lastTime {
            self = ScoredPinchProcessor(configuration: configuration)
        }
        let elapsed = lastTime.map { time - $0 } ?? Self.firstFrame
        lastTime = time
        var evidence = PinchEvidence(shape, opening: opening)
        if isResting(evidence, at: time) { evidence.score = PinchEvidence.maximumScore }
        average += (evidence.score - average) * (1 - exp(-elapsed / max(configuration.response, 1e-6)))
        evidence.average = average
        isPinched = average > (isPinched ? configuration.opening : configuration.closing)
        if isPinched {
            state = evidence.score < configuration.opening ? .possibleApart : .pinched
        } else {
            state = evidence.score > configuration.closing ? .possiblePinch : .apart
            remember(evidence.gap, for: elapsed)
            if evidence.gap < configuration.nearGap {
                evidence.refusal = state == .possiblePinch ? .brief : evidence.objection
            }
        }
        self.evidence = evidence
        return state
    }

    /// Whether the tips, once wide apart, have stopped near each other; tips that still come closer have not.
    private mutating func isResting(_ evidence: PinchEvidence, at time: TimeInterval) -> Bool {
        guard evidence.gap < configuration.restingGap, evidence.opening > configuration.restingOpening,
            evidence.reach > configuration.restingReach, evidence.depth < configuration.restingDepth
        else {
            restStart = nil
            return false
        }
        guard let start = restStart, evidence.gap >= restGap - configuration.settlingStep else {
            (restStart, restGap) = (time, evidence.gap)
            return false
        }
        return time - start >= configuration.resting
    }

    /// Lets the opening follow a wider gap at once and a narrower one slowly; a pinch does not change it.
    private mutating func remember(_ gap: Double, for elapsed: TimeInterval) {
        let faded = gap + (opening - gap) * exp(-elapsed / max(configuration.openingMemory, 1e-6))
        opening = min(max(gap, faded), Self.widestOpening)
    }
}

/// Distinguishes a pinch from other hand shapes with close finger tips: a fist, a flat hand or a hand at rest.
///
/// In a fist, or with thumb and fingers side by side, the tips meet near the palm, so the nearer to the palm they are,
/// the closer they must be. The hand must have been open before. Evidence counts in time, not in frames. Distances are
/// in hand lengths (wrist to middle knuckle).
struct StrictPinchProcessor: Sendable {
    /// The reach below which tips never pinch: fists in the ASL clips reach 0.33 to 0.54, pinches 0.66 to 0.71.
    private static let palmReach = 0.36
    /// The growth of the maximum gap per hand length of reach: 0.375 at the clips' pinches, whose gaps are 0.22 to
    /// 0.31, and 0.2 at their resting hands, whose gaps are 0.23 and more.
    private static let gapPerReach = 1.25
    /// The largest gap of a pinch at any reach.
    private static let maximumGap = 0.36
    /// The gap beyond which the tips are apart; between the pinch gap and this one the state does not change.
    private static let apartGap = 0.42
    /// The time for which the tips must be together or apart to confirm a state, seconds: two frames at 30 fps.
    private static let evidence: TimeInterval = 0.03

    private(set) var state = HandGestureProcessor.State.unknown

    private var isPinched = false
    private var wasApart = false
    private var contradictionStart: TimeInterval?
    private var lastTime: TimeInterval?

    /// Takes the hand in the next frame at a time in seconds and returns the new state.
    @discardableResult
    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        if let lastTime, time - lastTime > PinchRule.memory || time <= lastTime { self = StrictPinchProcessor() }
        lastTime = time
        let isApart = shape.gap > Self.apartGap
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
        if time > since, time - since >= Self.evidence - 1e-3 {
            isPinched.toggle()
            contradictionStart = nil
            state = isPinched ? .pinched : .apart
        } else {
            state = isPinched ? .possibleApart : .possiblePinch
        }
        return state
    }

    private func touches(_ shape: HandShape) -> Bool {
        let limit = (shape.reach - Self.palmReach) * Self.gapPerReach
        return shape.gap < min(limit, Self.maximumGap)
    }
}

/// Distinguishes a pinch from an open hand by the distance of two finger tips, as in the HandPose sample.
///
/// A number of consecutive frames confirms a state, which is reported with every pair of points.
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
        /// The hand has not been detected yet, or has been lost for some time.
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

    /// Creates a processor: tips closer than `pinchMaxDistance` (40 view points in the sample) are a pinch once
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

    /// Processes the tips of the next frame and returns the new state.
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
