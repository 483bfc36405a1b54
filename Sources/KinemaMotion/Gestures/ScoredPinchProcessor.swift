import Foundation

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
