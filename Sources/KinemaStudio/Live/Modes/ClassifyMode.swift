import Foundation
import Kinema
import KinemaCore
import KinemaMotion
import KinemaVision

/// Names what is being done, by a trained classifier.
struct ClassifyMode: LiveMode {
    let pipeline: PosePipeline
    private let model: HumanActionClassifier
    private let aspectRatio: Double
    private var recognizer: ActionRecognizer
    private var selector = ProminentPersonSelector()
    private var segments: [KeptSession.Segment] = []
    /// Until when segments were told, seconds.
    private var toldUntil = -Double.infinity
    private var lastSeen: TimeInterval?
    private var prediction: ActionPrediction?

    /// After so long without anybody what was done before is closed, seconds: it is another bout.
    private static let pause: TimeInterval = 20

    init(
        _ request: StartRequest, model: HumanActionClassifier, aspectRatio: Double, precision: ModelStore.Precision
    ) {
        var pipeline = PosePipeline.live(people: request.people ?? .prominent, precision: precision)
        if model.subject == .hand {
            pipeline = .handsOnly(HandPoseOptions(maximumHandCount: 1, precision: precision))
            pipeline.readsAhead = false
        }
        self.pipeline = pipeline
        self.model = model
        self.aspectRatio = aspectRatio
        recognizer = ActionRecognizer(model, aspectRatio: aspectRatio)
    }

    var wish: FramingJudge.Wish { model.subject == .hand ? .hands : .somebody }

    mutating func take(_ seen: PosedFrame) -> [LiveEvent] {
        let time = seen.frame.time
        var events: [LiveEvent] = []
        if let lastSeen, time - lastSeen > Self.pause {
            events = tell(recognizer.segments())
            recognizer = ActionRecognizer(model, aspectRatio: aspectRatio)
            prediction = nil
            self.lastSeen = nil
        }
        let pose =
            model.subject == .hand ? seen.hands.first?.pose : selector.select(seen.poses, at: time)
        if pose != nil { lastSeen = time }
        guard recognizer.append(pose, at: time) != nil else {
            if pose == nil { prediction = nil }
            return events
        }
        prediction = recognizer.prediction
        // What lies before every window to come says nothing new any more.
        let settled = time - model.windowDuration
        let sure = recognizer.segments().dropLast().filter { $0.end <= settled }
        events += tell(Array(sure))
        if let end = sure.last?.end { recognizer.forget(before: end) }
        return events
    }

    mutating func finish() -> [LiveEvent] { tell(recognizer.segments()) }

    func write(to json: inout JSONText) {
        json.key("classify")
        json.object { json in
            json.pair("label", prediction?.label)
            json.pair("confidence", prediction?.confidence)
            json.key("probabilities")
            json.object { list in
                for (label, value) in (prediction?.labelProbabilities ?? [:]).sorted(by: { $0.key < $1.key }) {
                    list.pair(label, value)
                }
            }
        }
    }

    func summarise(_ session: inout KeptSession) {
        session.segments = segments
        session.count = segments.count
    }

    private mutating func tell(_ found: [ActionSegment]) -> [LiveEvent] {
        found.compactMap { segment in
            guard segment.start >= toldUntil - 1e-6 else { return nil }
            toldUntil = segment.end
            guard let label = segment.label else { return nil }
            let kept = KeptSession.Segment(
                start: segment.start, end: segment.end, label: label, confidence: segment.confidence)
            segments.append(kept)
            return .segment(kept)
        }
    }
}
