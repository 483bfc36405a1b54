public import Foundation

/// What counts as a pinch.
public enum PinchRule: Sendable, Hashable {
    /// The tips meet while the hand is neither a fist nor flat; measured in hand lengths and seconds.
    case strict(StrictPinchProcessor.Configuration = .init())
    /// The HandPose sample's rule: the tips are closer than a number of hand lengths for three frames.
    case sample(handLengths: Double = 0.3)
    /// The sample's rule in its own unit: closer than 40 points in a view of a size, for three frames.
    case viewPoints(_ distance: Double = 40, view: CGSize)

    /// How many frames in a row the sample believes.
    static let sampleEvidence = 3
    /// How long the sample remembers a hand that is out of view, seconds.
    static let sampleMemory: TimeInterval = 2
}

/// One hand's pinch by any rule.
struct PinchRecognizer: Sendable {
    private enum Processor {
        case strict(StrictPinchProcessor)
        case sample(HandGestureProcessor)
    }

    private let rule: PinchRule
    private var processor: Processor
    private var lastTime: TimeInterval?

    init(_ rule: PinchRule) {
        self.rule = rule
        processor =
            switch rule {
            case .strict(let configuration): .strict(StrictPinchProcessor(configuration: configuration))
            case .sample(let handLengths):
                .sample(
                    HandGestureProcessor(
                        pinchMaxDistance: handLengths, evidenceCounterStateTrigger: PinchRule.sampleEvidence))
            case .viewPoints(let distance, _):
                .sample(
                    HandGestureProcessor(
                        pinchMaxDistance: distance, evidenceCounterStateTrigger: PinchRule.sampleEvidence))
            }
    }

    /// After so long without the hand everything is forgotten, seconds.
    var memory: TimeInterval {
        if case .strict(let configuration) = rule { configuration.memory } else { PinchRule.sampleMemory }
    }

    mutating func process(_ shape: HandShape, at time: TimeInterval) -> HandGestureProcessor.State {
        // Time counts from the last observation, not from the first: the sample forgot to move it on.
        let isForgotten = lastTime.map { time - $0 > memory } ?? false
        lastTime = time
        switch processor {
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
