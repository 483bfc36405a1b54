public import Foundation

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
