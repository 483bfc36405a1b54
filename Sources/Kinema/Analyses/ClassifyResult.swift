import KinemaCore
import KinemaMotion

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
