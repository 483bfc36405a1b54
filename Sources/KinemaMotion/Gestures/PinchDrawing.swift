package import Foundation
public import KinemaCore

/// A drawing in the air, in which each hand draws a line while it pinches.
///
/// As in the HandPose sample, points during a possible pinch are drawn only once it is confirmed.
public struct PinchDrawing: Sendable {
    /// The state of a hand in one frame.
    package struct HandState: Sendable, Hashable {
        /// The number of the hand.
        package var id: Int
        /// The state of its finger tips.
        package var state: HandGestureProcessor.State
        /// The midpoint of the tips, and the tips of thumb and index finger: normalised, origin at the lower left.
        package var point, thumbTip, indexTip: CGPoint
        /// The evidence of the frame; nil with a rule without a score.
        package var evidence: PinchEvidence?
    }

    let rule: PinchRule
    /// The picture's width divided by its height.
    let aspectRatio: Double
    /// The parameters of the rule `scored`.
    var configuration = ScoredPinchProcessor.Configuration()
    /// All pinches so far in order of start, including those in progress.
    package var pinches: [Pinch] {
        (ended.map(\.pinch) + hands.values.compactMap(\.pinch)).sorted { $0.start < $1.start }
    }
    /// All lines since the drawing was last cleared, in order of start.
    public var strokes: [Stroke] {
        let all: [Stroke] = ended.map(\.stroke) + hands.values.compactMap(\.stroke)
        return all.filter { !$0.points.isEmpty }.sorted { ($0.times.first ?? 0) < ($1.times.first ?? 0) }
    }

    /// The finished pinches, in the order they ended.
    package var endedPinches: [Pinch] { ended.map(\.pinch) }
    package var openPinches: [Pinch] { hands.values.compactMap(\.pinch).sorted { $0.start < $1.start } }

    private var hands: [Int: DrawingHand] = [:]
    private var (first, last): (TimeInterval?, TimeInterval) = (nil, 0)
    private var ended: [(pinch: Pinch, stroke: Stroke)] = []

    /// Creates an empty drawing for frames with the given width divided by height.
    package init(rule: PinchRule = .scored, aspectRatio: Double) {
        (self.rule, self.aspectRatio) = (rule, aspectRatio)
    }

    /// Processes the hands of the next frame at a time in seconds and returns their states.
    @discardableResult
    package mutating func append(_ observations: [HumanHandPoseObservation], at time: TimeInterval) -> [HandState] {
        var states: [HandState] = []
        (first, last) = (first ?? time, time)
        for (index, observation) in observations.enumerated() {
            guard let shape = HandShape(observation.pose, aspectRatio: aspectRatio) else { continue }
            let id = observation.pose.id ?? index
            var hand =
                hands.removeValue(forKey: id)
                ?? DrawingHand(
                    id: id, PinchRecognizer(rule, scored: configuration), at: time, isFromStart: time == first,
                    isAtEdge: shape.isAtEdge)
            if let done = hand.update(shape, side: observation.chirality, at: time) { ended.append(done) }
            states.append(
                HandState(
                    id: id, state: hand.state, point: hand.point, thumbTip: shape.thumbTip, indexTip: shape.indexTip,
                    evidence: hand.evidence))
            hands[id] = hand
        }
        for (id, hand) in hands where hand.isForgotten(at: time) {
            if let done = hand.lost { ended.append(done) }
            hands[id] = nil
        }
        return states
    }

    /// Ends the recording: says of pinches in progress that their end is not seen.
    package mutating func finish() {
        for id in hands.keys { hands[id]?.finish(at: last) }
    }

    /// Clears all lines and pending points, like the sample's double tap; a pinch in progress starts a new line.
    package mutating func clear() {
        for index in ended.indices { ended[index].stroke = Stroke(id: ended[index].stroke.id, hand: nil) }
        for id in hands.keys { hands[id]?.clear() }
    }

    /// Removes the oldest finished pinches and their lines, beyond the newest `maximum`.
    package mutating func keepNewest(_ maximum: Int) {
        if ended.count > maximum { ended.removeFirst(ended.count - maximum) }
    }

    /// Removes the line begun last; a pinch in progress starts a new line.
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

private struct DrawingHand: Sendable {
    private let id: Int
    private var recognizer: PinchRecognizer
    private(set) var state = HandGestureProcessor.State.unknown
    private(set) var point = CGPoint.zero
    private(set) var pinch: Pinch?
    private(set) var stroke: Stroke?
    private var pendingPoints: [(point: CGPoint, time: TimeInterval)] = []
    private var lastTime: TimeInterval = 0
    private var stateStart: TimeInterval = 0
    /// The time at which the newest pinch closed, and the gap at its start.
    private var closing: (time: TimeInterval, gap: Double) = (0, 0)
    /// When the hand came into view, and what is not seen of a pinch that it came with.
    private let arrival: (time: TimeInterval, unseen: String)
    private var isAtEdge = false
    /// Seconds after the arrival within which a pinch may have begun before: the rules need three frames.
    private static let recognition = 0.1
    // Fast enough for a hand that moves ten of its lengths per second (cutoff 20 Hz), slow enough for a still hand.
    private var filters = (x: OneEuroFilter(minimumCutoff: 3, beta: 2), y: OneEuroFilter(minimumCutoff: 3, beta: 2))

    init(id: Int, _ recognizer: PinchRecognizer, at time: TimeInterval, isFromStart: Bool, isAtEdge: Bool) {
        (self.id, self.recognizer) = (id, recognizer)
        let reason = isFromStart ? "before the recording" : isAtEdge ? "out of view" : "not seen"
        arrival = (time, "the start is \(reason)")
    }

    private var openLine: (pinch: Pinch, stroke: Stroke)? {
        guard let pinch, let stroke else { return nil }
        return (pinch, stroke)
    }

    /// The pinch and its line where the hand was lost during it.
    var lost: (pinch: Pinch, stroke: Stroke)? {
        var line = openLine
        line?.pinch.miss("the end is \(isAtEdge ? "out of view" : "not seen")")
        return line
    }

    mutating func finish(at time: TimeInterval) {
        if lastTime < time { pinch = lost?.pinch } else { pinch?.miss("the end is after the recording") }
    }

    var evidence: PinchEvidence? { recognizer.evidence }

    func isForgotten(at time: TimeInterval) -> Bool { time - lastTime > PinchRule.memory }

    mutating func clear() {
        pendingPoints = []
        stroke = stroke.map { Stroke(id: $0.id, hand: $0.hand) }
    }

    /// Takes the hand in a frame; returns the pinch and its line if they end with it.
    mutating func update(
        _ shape: HandShape, side: HumanHandPoseObservation.Chirality?, at time: TimeInterval
    ) -> (pinch: Pinch, stroke: Stroke)? {
        point = smooth(
            CGPoint(x: (shape.thumbTip.x + shape.indexTip.x) / 2, y: (shape.thumbTip.y + shape.indexTip.y) / 2),
            scale: 1 / max(shape.length, 1e-6), at: time)
        let lastSeen = lastTime
        let wasAtEdge = isAtEdge
        (lastTime, isAtEdge) = (time, shape.isAtEdge)
        let before = state
        state = recognizer.process(shape, at: time)
        let evidenceStart = stateStart
        if state != before { stateStart = time }
        switch state {
        case .possiblePinch, .possibleApart:
            pendingPoints.append((point, time))
        case .pinched:
            draw(side: side, since: before == .possiblePinch ? evidenceStart : time, at: time)
            settle(isNew: before != .pinched && before != .possibleApart, at: time)
        case .apart, .unknown:
            // The pinch ended when the tips first came apart, or when a lost hand was last seen.
            let end = state == .unknown ? lastSeen : before == .possibleApart ? evidenceStart : time
            pendingPoints = []
            defer { (pinch, stroke) = (nil, nil) }
            pinch?.end = end
            if state == .unknown { pinch?.miss("the end is \(wasAtEdge ? "out of view" : "not seen")") }
            return openLine
        }
        return nil
    }

    private mutating func draw(
        side: HumanHandPoseObservation.Chirality?, since start: TimeInterval, at time: TimeInterval
    ) {
        var pinch = pinch ?? Pinch(id: id, hand: side, start: start, end: time)
        if self.pinch == nil, start - arrival.time < Self.recognition { pinch.miss(arrival.unseen) }
        var stroke = stroke ?? Stroke(id: id, hand: pinch.hand)
        for pending in pendingPoints { stroke.append(pending.point, at: pending.time) }
        pendingPoints = []
        stroke.append(point, at: time)
        pinch.end = time
        (self.pinch, self.stroke) = (pinch, stroke)
    }

    /// Delays the start of a new pinch while the tips still come closer.
    private mutating func settle(isNew: Bool, at time: TimeInterval) {
        guard let gap = evidence?.gap else { return }
        if isNew { closing = (time, gap) }
        let (duration, step) = recognizer.settling
        guard time - closing.time <= duration, gap < closing.gap - step else { return }
        closing.gap = gap
        pinch?.start = time
    }

    private mutating func smooth(_ point: CGPoint, scale: Double, at time: TimeInterval) -> CGPoint {
        CGPoint(
            x: filters.x.filter(point.x, at: time, scale: scale), y: filters.y.filter(point.y, at: time, scale: scale))
    }
}

extension Pinch {
    fileprivate mutating func miss(_ what: String) {
        unseen = [unseen, what].compactMap(\.self).joined(separator: "; ")
    }
}
