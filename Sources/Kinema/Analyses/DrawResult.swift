import KinemaCore
import KinemaMotion

/// Pinches and the lines drawn with them; the JSON of `kinema gesture`.
public struct DrawResult: AnalysisResult, Hashable {
    /// A line drawn in the air.
    public struct Line: Codable, Sendable, Hashable {
        /// Left or right; null if unknown.
        @Nullable public var hand: String?
        /// The hand's number.
        public var id: Int
        /// The start and end of the line, seconds.
        public var start: Double, end: Double
        /// Its points: x and y, normalised, origin at the lower left.
        public var points: [[Double]]
    }

    /// The pinches in time order.
    public var pinches: [PinchResult]
    /// The lines in time order.
    public var strokes: [Line]

    init(pinches: [Pinch], strokes: [Stroke]) {
        self.pinches = pinches.map(PinchResult.init)
        self.strokes = strokes.map { stroke in
            Line(
                hand: stroke.hand?.rawValue, id: stroke.id, start: (stroke.times.first ?? 0).rounded(to: 4),
                end: (stroke.times.last ?? 0).rounded(to: 4), points: stroke.points.map(\.pair))
        }
    }

    /// One row per pinch.
    public static var columns: [String] { ["pinch", "id", "hand", "start", "end", "unseen"] }

    /// The pinches.
    public var rows: [[String]] {
        pinches.enumerated().map {
            ["\($0 + 1)", "\($1.id)", $1.hand ?? "", "\($1.start)", "\($1.end)", $1.unseen ?? ""]
        }
    }

    /// The number of pinches, then each of them.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(pinches.count, "pinch", "pinches")) in \(run.extent)"]
            + (run.framesWithDetections == 0 ? ["no hand found"] : [])
            + pinches.enumerated().map { index, pinch in
                "  \(index + 1).  \(pinch.start.text(2)) to \(pinch.end.text(2)) s, hand \(pinch.id)"
                    + (pinch.hand.map { ", \($0)" } ?? "") + (pinch.unseen.map { "; \($0)" } ?? "")
            }
    }
}
