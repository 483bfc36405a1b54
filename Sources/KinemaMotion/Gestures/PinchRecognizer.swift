import Foundation

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

    init(_ rule: PinchRule, scored configuration: ScoredPinchProcessor.Configuration) {
        self.rule = rule
        processor =
            switch rule {
            case .scored: .scored(ScoredPinchProcessor(configuration: configuration))
            case .strict: .strict(StrictPinchProcessor())
            case .sample(let distance), .viewPoints(let distance, _):
                .sample(HandGestureProcessor(pinchMaxDistance: distance))
            }
    }

    /// The time out of view after which a hand's state is reset, in seconds.
    var memory: TimeInterval {
        if case .scored(let scored) = processor { scored.configuration.memory } else { PinchRule.memory }
    }

    /// The time after closing within which a pinch's start may move, seconds, and the approach of the tips for that.
    var settling: (time: TimeInterval, step: Double) {
        guard case .scored(let scored) = processor else { return (0, 0) }
        return (scored.configuration.settling, scored.configuration.settlingStep)
    }

    var evidence: PinchEvidence? { if case .scored(let scored) = processor { scored.evidence } else { nil } }

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
