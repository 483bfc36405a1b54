public import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaMotion

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
