import KinemaMotion
public import KinemaLearning
public import Foundation
import KinemaCore
public import KinemaDraw

/// Recognises the actions of the most prominent person, or of a hand, with a classifier.
public struct ClassifyAnalysis: Analysis, PoseOnlyAnalysis {
    /// The configuration of the classification.
    public struct Configuration: Sendable {
        /// The classifier.
        public var classifier: any ActionClassifier
        /// The pipeline that detects people or hands.
        public var pipeline: PosePipeline
        /// Seconds from one prediction to the next; nil for a sixth of the classifier's window.
        public var interval: TimeInterval?
        /// The time without a person in view after which the current action ends, in seconds; nil never ends it.
        public var pause: TimeInterval?
        /// Whether every prediction is reported as an event.
        public var reportsPredictions = false

        /// Uses a classifier, for people or hands as it was trained.
        public init(classifier: any ActionClassifier) {
            self.classifier = classifier
            pipeline =
                classifier.subject == .hand
                ? .handsOnly(HandPoseOptions(maximumHandCount: 1)) : PosePipeline(options: BodyPoseOptions())
        }
    }

    /// The configuration.
    package let configuration: Configuration
    /// The newest prediction; nil until the first window is full and while nobody is in view.
    package private(set) var prediction: ActionPrediction?
    private var recognizer: ActionRecognizer?
    private var selector = ProminentPersonSelector()
    private var segments: [SegmentResult] = []
    private var newest: PosedFrame?
    private var lastSeen: TimeInterval?
    /// The end of the last reported segment, seconds.
    private var reportedUntil = -Double.infinity

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// The pipeline that detects people or hands.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Processes the next frame; returns the segments that became final and, if requested, the predictions.
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
        let pose = selector.select(isHand ? frame.hands.map(\.pose) : frame.poses, at: time)
        if pose != nil { lastSeen = time }
        guard let new = recognizer.append(pose, at: time) else {
            if pose == nil { prediction = nil }
            return events
        }
        prediction = recognizer.prediction
        if configuration.reportsPredictions { events.append(.prediction(PredictionResult(new, at: time))) }
        // Segments before all coming windows are final.
        let finalUntil = time - configuration.classifier.windowDuration
        let final = recognizer.segments().dropLast().filter { $0.end <= finalUntil }
        events += report(Array(final))
        if let end = final.last?.end { recognizer.forget(before: end) }
        return events
    }

    /// Ends the stream and returns the remaining segments.
    public mutating func finish() -> [AnalysisEvent] { report(recognizer?.segments() ?? []) }

    /// The segments so far; complete after `finish()`.
    public var result: ClassifyResult { ClassifyResult(segments: segments) }

    /// Skeletons and hands with the newest label.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        let line = prediction.map { "\($0.label ?? "none of the classes")  \(Int(clamping: $0.confidence * 100)) %" }
        return [.skeletons(newest.poses), .hands(newest.hands.map(\.pose)), .hud(HUD(lines: line.map { [$0] } ?? []))]
    }

    /// The shortest movement that the classifier accepts.
    public var neededSeconds: Double { configuration.classifier.minimumDuration }

    /// The newest label.
    public var summary: String { prediction?.label ?? "" }

    private mutating func closeAfterPause(_ time: TimeInterval) -> [AnalysisEvent] {
        guard let pause = configuration.pause, let lastSeen, time - lastSeen > pause else { return [] }
        let events = report(recognizer?.segments() ?? [])
        (recognizer, prediction, self.lastSeen) = (nil, nil, nil)
        return events
    }

    private mutating func report(_ found: [ActionSegment]) -> [AnalysisEvent] {
        found.compactMap { segment in
            guard segment.start >= reportedUntil - 1e-6 else { return nil }
            reportedUntil = segment.end
            let one = SegmentResult(segment)
            segments.append(one)
            return .segment(one)
        }
    }
}

/// The actions over time; the JSON of `kinema classify`.
public struct ClassifyResult: AnalysisResult, Hashable {
    /// The segments in time order.
    public var segments: [SegmentResult]

    package init(segments: [SegmentResult]) { self.segments = segments }

    /// One row per segment.
    public static var columns: [String] { ["start", "end", "label", "confidence"] }

    /// The segments.
    public var rows: [[String]] {
        segments.map { [$0.start.text(3), $0.end.text(3), $0.label ?? "", $0.confidence.text(4)] }
    }

    /// The input, then each segment.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(run.duration.text(1)) s, \(PlainText.counted(run.frames, "frame"))"]
            + (run.framesWithDetections == 0 ? ["no person found"] : [])
            + segments.map {
                "  \($0.start.text(1)) to \($0.end.text(1)) s  \($0.label ?? "(none of the classes)")  "
                    + "\(Int(clamping: $0.confidence * 100)) %"
            }
    }
}

/// A segment of one action; the JSON of `kinema classify`.
public struct SegmentResult: Codable, Sendable, Hashable {
    /// The start and end of the segment, seconds.
    public var start: Double, end: Double
    /// The class; null if there is none.
    @Nullable public var label: String?
    /// The mean probability of the class over the segment, 0...1.
    public var confidence: Double

    package init(_ segment: ActionSegment) {
        (start, end) = (segment.start.rounded(to: 4), segment.end.rounded(to: 4))
        (label, confidence) = (segment.label, segment.confidence.rounded(to: 4))
    }
}

/// A classifier's prediction for the most recent window; a line of `kinema classify --format jsonl`.
public struct PredictionResult: Codable, Sendable, Hashable {
    /// The time of the prediction, seconds.
    public var time: Double
    /// The most likely class; null if the movement belongs to none.
    @Nullable public var label: String?
    /// The probability of the most likely class, 0...1.
    public var confidence: Double
    /// The probability of each class.
    public var probabilities: [String: Double]

    package init(_ prediction: ActionPrediction, at time: TimeInterval) {
        (self.time, label) = (time.rounded(to: 4), prediction.label)
        confidence = prediction.confidence.rounded(to: 4)
        probabilities = prediction.labelProbabilities.mapValues { $0.rounded(to: 4) }
    }
}
