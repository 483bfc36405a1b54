import Foundation

/// Recognises the pinch of one hand by any rule.
struct PinchRecognizer: Sendable {
    private let rule: PinchRule
    // The rule's own processor; the others are nil.
    private var scored: ScoredPinchProcessor?
    private var strict: StrictPinchProcessor?
    private var sample: HandGestureProcessor?
    private var lastTime: TimeInterval?

    init(_ rule: PinchRule, scored configuration: ScoredPinchProcessor.Configuration) {
        self.rule = rule
        switch rule {
        case .scored: scored = ScoredPinchProcessor(configuration: configuration)
        case .strict: strict = StrictPinchProcessor()
        case .sample(let distance), .viewPoints(let distance, _):
            sample = HandGestureProcessor(pinchMaxDistance: distance)
        }
    }

    /// The time after closing within which a pinch's start may move, seconds, and the approach of the tips for that.
    var settling: (time: TimeInterval, step: Double) {
        scored.map { ($0.configuration.settling, $0.configuration.settlingStep) } ?? (0, 0)
    }

    var evidence: PinchEvidence? { scored?.evidence }

    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        // Measure from the last observation; the sample measures from the first, which is a bug.
        let isForgotten = lastTime.map { time - $0 > PinchRule.memory } ?? false
        lastTime = time
        if let state = scored?.process(shape, at: time) { return state }
        if let state = strict?.process(shape, at: time) { return state }
        if isForgotten { sample?.reset() }
        let points = points(of: shape)
        return sample?.processPointsPair(points) ?? .unknown
    }

    private func points(of shape: HandShape) -> HandGestureProcessor.PointsPair {
        guard case .viewPoints(_, let view) = rule else { return (.zero, CGPoint(x: shape.gap, y: 0)) }
        func inView(_ point: CGPoint) -> CGPoint {
            CGPoint(x: point.x * view.width, y: (1 - point.y) * view.height)
        }
        return (inView(shape.thumbTip), inView(shape.indexTip))
    }
}
