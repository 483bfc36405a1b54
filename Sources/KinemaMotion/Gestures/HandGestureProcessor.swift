public import Foundation

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
