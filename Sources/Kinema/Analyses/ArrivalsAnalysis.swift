import Foundation
import KinemaCore
public import KinemaDraw
import KinemaToss

/// Watches a board from above and reports where bags land on it.
public struct ArrivalsAnalysis: Analysis {
    private var detector = BagArrivalDetector()
    private var arrivals: [BagArrival] = []

    /// Makes an analysis that has seen no frames.
    public init() {}

    /// Frames only: no people are in view.
    public var pipeline: PosePipeline { .framesOnly }

    /// Takes the next frame; arrivals are only in the result, once bags have settled.
    public mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent] {
        arrivals += detector.update(ColorGrid(try frame.frame.bitmap()), at: frame.frame.time)
        return []
    }

    /// Ends the stream.
    public mutating func finish() -> [AnalysisEvent] {
        arrivals += detector.finish()
        return []
    }

    /// The bags that have arrived so far.
    public var result: ArrivalsResult { ArrivalsResult(arrivals) }

    /// The last arrivals as text.
    public var layers: [OverlayLayer] {
        [.hud(HUD(lines: arrivals.suffix(4).map { "\($0.time.text(1)) s  \($0.landing.rawValue)" }))]
    }

    /// The bags in words.
    public var summary: String { PlainText.counted(arrivals.count, "bag") }
}

/// The bags on a board seen from above; the JSON of `kinema toss --view board`.
public struct ArrivalsResult: AnalysisResult, Hashable {
    /// A bag that landed.
    public struct Arrival: Codable, Sendable, Hashable {
        /// When it came into view and when it came to rest, seconds.
        public var time: Double, settled: Double
        /// Where it landed: off, board or hole.
        public var landing: String
        /// The points scored; the kind of throw cannot be seen from above.
        public var score: Int
        /// Where it came to rest: x and y, normalised, origin at the lower left.
        public var point: [Double]
    }

    /// The bags in time order.
    public var arrivals: [Arrival]
    /// The total score.
    public var total: Int

    init(_ found: [BagArrival]) {
        arrivals = found.map {
            Arrival(
                time: $0.time.rounded(to: 4), settled: $0.settled.rounded(to: 4), landing: $0.landing.rawValue,
                score: Scoring($0.landing, type: .none).rawValue, point: $0.location.pair)
        }
        total = arrivals.reduce(0) { $0 + $1.score }
    }

    /// One row per bag.
    public static var columns: [String] { ["time", "settled", "landing"] }

    /// The bags.
    public var rows: [[String]] { arrivals.map { [$0.time.text(3), $0.settled.text(3), $0.landing] } }

    /// The score, then each bag.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(arrivals.count, "bag")), \(PlainText.counted(total, "point"))"]
            + arrivals.map { "  \($0.time.text(2)) s  \($0.landing)" }
    }
}
