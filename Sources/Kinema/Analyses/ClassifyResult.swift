import Foundation
import KinemaCore
package import KinemaMotion

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
