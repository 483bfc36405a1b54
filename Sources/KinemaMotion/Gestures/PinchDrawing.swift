public import Foundation
public import KinemaCore

/// Draws in the air: a hand that pinches draws, several hands at once, each by itself.
///
/// What is seen while a pinch is only possible is held back, drawn once it is believed, and dropped when it was none, as
/// in the HandPose sample.
public struct PinchDrawing: Sendable {
    /// What a hand in view does in a frame.
    public struct HandState: Sendable, Hashable {
        /// The number of the hand.
        public var id: Int
        /// What its tips do.
        public var state: HandGestureProcessor.State
        /// The middle between the tips, normalised, origin at the lower left.
        public var point: CGPoint
    }

    /// What counts as a pinch.
    public let rule: PinchRule
    /// Width divided by height of the picture: normalised coordinates do not tell.
    public let aspectRatio: Double
    /// All pinches so far by their start, those that go on too.
    public var pinches: [Pinch] {
        (ended.map(\.pinch) + hands.values.compactMap(\.pinch)).sorted { $0.start < $1.start }
    }
    /// All lines drawn so far, by their start, since the drawing was cleared.
    public var strokes: [Stroke] {
        (ended.map(\.stroke) + hands.values.compactMap(\.stroke)).filter { !$0.points.isEmpty }
            .sorted { ($0.times.first ?? 0) < ($1.times.first ?? 0) }
    }

    /// The pinches that have ended, in the order in which they did.
    package var endedPinches: [Pinch] { ended.map(\.pinch) }
    /// The pinches that go on.
    package var openPinches: [Pinch] { hands.values.compactMap(\.pinch).sorted { $0.start < $1.start } }

    private var hands: [Int: DrawingHand] = [:]
    private var ended: [(pinch: Pinch, stroke: Stroke)] = []

    /// Makes an empty drawing for pictures of the given width divided by height.
    public init(rule: PinchRule = .strict(), aspectRatio: Double) {
        self.rule = rule
        self.aspectRatio = aspectRatio
    }

    /// Takes the hands of the next frame, at a time in seconds, and returns what each does.
    @discardableResult
    public mutating func append(_ observations: [HumanHandPoseObservation], at time: TimeInterval) -> [HandState] {
        var states: [HandState] = []
        for (index, observation) in observations.enumerated() {
            guard let shape = HandShape(observation.pose, aspectRatio: aspectRatio) else { continue }
            let id = observation.pose.id ?? index
            var hand = hands.removeValue(forKey: id) ?? DrawingHand(id: id, rule: rule)
            if let done = hand.take(shape, side: observation.chirality, at: time) { ended.append(done) }
            states.append(HandState(id: id, state: hand.state, point: hand.point))
            hands[id] = hand
        }
        for (id, hand) in hands where hand.isForgotten(at: time) {
            if let done = hand.leftOff { ended.append(done) }
            hands[id] = nil
        }
        return states
    }

    /// Empties the drawing, as the sample's double tap: lines, and what was held back; pinches that go on draw on anew.
    public mutating func clear() {
        for index in ended.indices { ended[index].stroke = Stroke(id: ended[index].stroke.id, hand: nil) }
        for id in hands.keys { hands[id]?.clear() }
    }

    /// Forgets the oldest of the ended pinches with their lines, so that no more than so many are kept.
    package mutating func forget(linesBeyond most: Int) {
        if ended.count > most { ended.removeFirst(ended.count - most) }
    }

    /// Takes the line back that was begun last; a pinch that goes on draws on anew.
    package mutating func undo() {
        func start(_ stroke: Stroke?) -> TimeInterval { stroke?.times.first ?? -.infinity }
        let done = ended.indices.max { start(ended[$0].stroke) < start(ended[$1].stroke) }
        let drawing = hands.keys.max { start(hands[$0]?.stroke) < start(hands[$1]?.stroke) }
        let newest = done.map { start(ended[$0].stroke) } ?? -.infinity
        if let drawing, start(hands[drawing]?.stroke) > newest {
            hands[drawing]?.clear()
        } else if let done, newest > -.infinity {
            ended[done].stroke = Stroke(id: ended[done].stroke.id, hand: nil)
        }
    }
}

/// One hand, its pinch, and the line it draws.
private struct DrawingHand: Sendable {
    private let id: Int
    private var recognizer: PinchRecognizer
    private(set) var state = HandGestureProcessor.State.unknown
    private(set) var point = CGPoint.zero
    private(set) var pinch: Pinch?
    private(set) var stroke: Stroke?
    private var heldBack: [(point: CGPoint, time: TimeInterval)] = []
    private var lastTime: TimeInterval = 0
    /// Since when the tips do what they do now.
    private var stateStart: TimeInterval = 0
    // Fast enough to follow a hand that draws at ten of its lengths a second (cutoff 20 Hz), slow enough to rest at rest.
    private var filters = (x: OneEuroFilter(minimumCutoff: 3, beta: 2), y: OneEuroFilter(minimumCutoff: 3, beta: 2))

    init(id: Int, rule: PinchRule) {
        self.id = id
        recognizer = PinchRecognizer(rule)
    }

    /// The pinch and the line when the hand is lost for good.
    var leftOff: (pinch: Pinch, stroke: Stroke)? {
        guard let pinch, let stroke else { return nil }
        return (pinch, stroke)
    }

    func isForgotten(at time: TimeInterval) -> Bool { time - lastTime > recognizer.memory }

    mutating func clear() {
        heldBack = []
        stroke = stroke.map { Stroke(id: $0.id, hand: $0.hand) }
    }

    /// Takes the hand in a frame; returns the pinch and its line when they ended with it.
    mutating func take(
        _ shape: HandShape, side: HumanHandPoseObservation.Chirality?, at time: TimeInterval
    ) -> (pinch: Pinch, stroke: Stroke)? {
        point = smooth(
            CGPoint(x: (shape.thumbTip.x + shape.indexTip.x) / 2, y: (shape.thumbTip.y + shape.indexTip.y) / 2),
            scale: 1 / max(shape.length, 1e-6), at: time)
        let lastSeen = lastTime
        lastTime = time
        let before = state
        state = recognizer.process(shape, at: time)
        let evidenceStart = stateStart
        if state != before { stateStart = time }
        switch state {
        case .possiblePinch, .possibleApart:
            heldBack.append((point, time))
        case .pinched:
            draw(side: side, since: before == .possiblePinch ? evidenceStart : time, at: time)
        case .apart, .unknown:
            // The tips were apart from the first frame on that said so; a hand that was forgotten, when it was last seen.
            let end = state == .unknown ? lastSeen : before == .possibleApart ? evidenceStart : time
            heldBack = []
            defer { (pinch, stroke) = (nil, nil) }
            pinch?.end = end
            return leftOff
        }
        return nil
    }

    private mutating func draw(
        side: HumanHandPoseObservation.Chirality?, since start: TimeInterval, at time: TimeInterval
    ) {
        var pinch = pinch ?? Pinch(id: id, hand: side, start: start, end: time)
        var stroke = stroke ?? Stroke(id: id, hand: pinch.hand)
        for held in heldBack { stroke.append(held.point, at: held.time) }
        heldBack = []
        stroke.append(point, at: time)
        pinch.end = time
        (self.pinch, self.stroke) = (pinch, stroke)
    }

    private mutating func smooth(_ point: CGPoint, scale: Double, at time: TimeInterval) -> CGPoint {
        CGPoint(
            x: filters.x.filter(point.x, at: time, scale: scale), y: filters.y.filter(point.y, at: time, scale: scale))
    }
}
