public import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaMotion

/// Names what the most prominent person, or a hand, does, by a trained classifier.
public struct ClassifyAnalysis: Analysis {
    /// How actions are named.
    public struct Configuration: Sendable {
        /// The classifier that is asked.
        public var classifier: HumanActionClassifier
        /// How people or hands are found.
        public var pipeline: PosePipeline
        /// Seconds from one prediction to the next; nil for a sixth of the classifier's window.
        public var interval: TimeInterval?
        /// After so long without anybody, seconds, what was done before is closed; nil never closes it.
        public var pause: TimeInterval?
        /// Whether every prediction is told.
        public var tellsPredictions = false

        /// Asks a classifier, about people or hands as it was trained.
        public init(classifier: HumanActionClassifier) {
            self.classifier = classifier
            pipeline =
                classifier.subject == .hand
                ? .handsOnly(HandPoseOptions(maximumHandCount: 1)) : PosePipeline(options: BodyPoseOptions())
        }
    }

    /// How it names actions.
    public let configuration: Configuration
    /// The newest prediction; nil before the first window is full and while nobody is in view.
    public private(set) var prediction: ActionPrediction?
    private var recognizer: ActionRecognizer?
    private var selector = ProminentPersonSelector()
    private var segments: [SegmentResult] = []
    private var newest: PosedFrame?
    private var lastSeen: TimeInterval?
    /// Until when segments were told, seconds.
    private var toldUntil = -Double.infinity

    /// Makes an analysis that has seen nothing yet.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// How people or hands are found.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Takes the next frame; tells the stretches that are settled and, when asked for, predictions.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        newest = frame
        let time = frame.frame.time
        var events = closeAfterPause(time)
        var recognizer =
            recognizer.take()
            ?? ActionRecognizer(
                configuration.classifier, aspectRatio: frame.frame.aspectRatio, interval: configuration.interval)
        defer { self.recognizer = recognizer }
        let isHand = configuration.classifier.subject == .hand
        let pose = isHand ? frame.hands.first?.pose : selector.select(frame.poses, at: time)
        if pose != nil { lastSeen = time }
        guard let new = recognizer.append(pose, at: time) else {
            if pose == nil { prediction = nil }
            return events
        }
        prediction = recognizer.prediction
        if configuration.tellsPredictions { events.append(.prediction(PredictionResult(new, at: time))) }
        // What lies before every window to come says nothing new any more.
        let settled = time - configuration.classifier.windowDuration
        let sure = recognizer.segments().dropLast().filter { $0.end <= settled }
        events += tell(Array(sure))
        if let end = sure.last?.end { recognizer.forget(before: end) }
        return events
    }

    /// Ends the stream and tells the stretches that were not settled yet.
    public mutating func finish() -> [AnalysisEvent] { tell(recognizer?.segments() ?? []) }

    /// What was done so far, in stretches; complete after `finish()`.
    public var result: ClassifyResult { ClassifyResult(segments: segments) }

    /// Skeletons and hands with the newest label.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        let line = prediction.map { "\($0.label ?? "none of the classes")  \(Int(clamping: $0.confidence * 100)) %" }
        return [
            .skeletons(newest.poses), .hands(newest.hands.map(\.pose)), .hud(HUD(lines: line.map { [$0] } ?? [])),
        ]
    }

    /// The newest label.
    public var summary: String { prediction?.label ?? "" }

    private mutating func closeAfterPause(_ time: TimeInterval) -> [AnalysisEvent] {
        guard let pause = configuration.pause, let lastSeen, time - lastSeen > pause else { return [] }
        let events = tell(recognizer?.segments() ?? [])
        (recognizer, prediction, self.lastSeen) = (nil, nil, nil)
        return events
    }

    private mutating func tell(_ found: [ActionSegment]) -> [AnalysisEvent] {
        found.compactMap { segment in
            guard segment.start >= toldUntil - 1e-6 else { return nil }
            toldUntil = segment.end
            let one = SegmentResult(segment)
            segments.append(one)
            return .segment(one)
        }
    }
}

/// What a classifier says of the last moments; a line of `kinema classify --format jsonl`.
public struct PredictionResult: Codable, Sendable, Hashable {
    /// When it was made, seconds.
    public var time: Double
    /// The most likely class; null when the movement is none of them.
    @Nullable public var label: String?
    /// The probability of the most likely class, 0...1.
    public var confidence: Double
    /// The probability of each class.
    public var probabilities: [String: Double]

    /// Makes a result of a prediction made at a time in seconds.
    public init(_ prediction: ActionPrediction, at time: TimeInterval) {
        (self.time, label) = (time.rounded(to: 4), prediction.label)
        confidence = prediction.confidence.rounded(to: 4)
        probabilities = prediction.labelProbabilities.mapValues { $0.rounded(to: 4) }
    }
}

/// A stretch of one action; the JSON of `kinema classify`.
public struct SegmentResult: Codable, Sendable, Hashable {
    /// When it begins and ends, seconds.
    public var start: Double, end: Double
    /// The class; null when it is none of them.
    @Nullable public var label: String?
    /// The mean probability of the class over the stretch, 0...1.
    public var confidence: Double

    /// Makes a result of a stretch.
    public init(_ segment: ActionSegment) {
        (start, end) = (segment.start.rounded(to: 4), segment.end.rounded(to: 4))
        (label, confidence) = (segment.label, segment.confidence.rounded(to: 4))
    }
}

/// What was done when; the JSON of `kinema classify`.
public struct ClassifyResult: AnalysisResult, Hashable {
    /// The stretches in order of time.
    public var segments: [SegmentResult]

    /// Makes a result of stretches in order of time.
    public init(segments: [SegmentResult] = []) { self.segments = segments }

    /// One row a stretch.
    public static var columns: [String] { ["start", "end", "label", "confidence"] }

    /// The stretches.
    public var rows: [[String]] {
        segments.map { [$0.start.text(3), $0.end.text(3), $0.label ?? "", $0.confidence.text(4)] }
    }

    /// What was read, then each stretch.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(run.duration.text(1)) s, \(PlainText.counted(run.frames, "frame"))"]
            + (run.framesWithSomeone == 0 ? ["nobody found"] : [])
            + segments.map {
                "  \($0.start.text(1)) to \($0.end.text(1)) s  \($0.label ?? "(none of the classes)")  "
                    + "\(Int(clamping: $0.confidence * 100)) %"
            }
    }
}
