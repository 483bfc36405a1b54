import Foundation

/// Distinguishes a pinch from other hand shapes by one score of named quantities, with weights fitted to recordings.
///
/// Each frame gives the log-odds that the tips touch (`PinchEvidence`). Averaged over the last moments, they close the
/// pinch above one limit and open it below another. The average follows time, not frames: at 15 frames a second one
/// clear frame is enough, at 60 it takes three. So taps of four a second are told apart at the rate of any webcam.
struct ScoredPinchProcessor: Sendable {
    /// The parameters of the rule, in log-odds, seconds and hand lengths (wrist to middle knuckle).
    struct Configuration: Sendable, Hashable {
        /// The average score above which the tips have met: odds of 11 to 3.
        var closing = 1.3
        /// The average score below which they are apart again.
        var opening = -0.5
        /// The time over which scores are averaged: a frame at 30 a second.
        var response = 0.03
        /// How long a hand remembers how far its tips were apart.
        var openingMemory: TimeInterval = 2
        /// How far apart the tips are taken to have been before a hand was first seen: neither open nor at rest, so
        /// that a clip may begin with a pinch.
        var unknownOpening = 0.6
        /// How long after a pinch closed its start may move on, seconds: tips that still come closer have not met yet.
        var settling = 0.1
        /// How much closer the tips must come for that, hand lengths: more than landmarks tremble.
        var settlingStep = 0.08
        /// The gap in the picture below which tips that do not pinch are given a reason.
        var nearGap = 0.35
        /// How long the hand may be out of view before the state is reset; 2 in the HandPose sample.
        var memory: TimeInterval = 2
    }

    /// The parameters of the rule.
    let configuration: Configuration
    /// The current state.
    private(set) var state = HandGestureProcessor.State.unknown
    /// What the last frame showed; nil before the first.
    private(set) var evidence: PinchEvidence?

    private var isPinched = false
    /// How far apart the tips recently were, hand lengths.
    private var opening: Double
    private var average = Self.unknownScore
    private var lastTime: TimeInterval?

    /// The score before the first frame: rather apart.
    private static let unknownScore = -1.0
    /// How long the first frame is taken to last, seconds.
    private static let firstFrame = 1.0 / 30
    /// The widest opening that counts, hand lengths.
    private static let widestOpening = 1.5

    /// Makes a processor in the unknown state.
    init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        opening = configuration.unknownOpening
    }

    /// Resets the state to unknown.
    mutating func reset() {
        self = ScoredPinchProcessor(configuration: configuration)
    }

    /// Takes the hand in the next frame at a time in seconds and returns the new state.
    @discardableResult
    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        if let lastTime, time - lastTime > configuration.memory || time <= lastTime { reset() }
        let elapsed = lastTime.map { time - $0 } ?? Self.firstFrame
        lastTime = time
        var evidence = PinchEvidence(shape, opening: opening)
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

    /// Lets the opening follow a wider gap at once and a narrower one slowly; a pinch leaves it as it is.
    private mutating func remember(_ gap: Double, for elapsed: TimeInterval) {
        let faded = gap + (opening - gap) * exp(-elapsed / max(configuration.openingMemory, 1e-6))
        opening = min(max(gap, faded), Self.widestOpening)
    }
}
