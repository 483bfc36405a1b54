import Foundation

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
