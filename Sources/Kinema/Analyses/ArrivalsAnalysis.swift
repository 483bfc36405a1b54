import Foundation
import KinemaCore
package import KinemaDraw
import KinemaToss

package struct ArrivalsAnalysis: Analysis {
    private var detector = BagArrivalDetector()
    private var arrivals: [BagArrival] = []

    package init() {}

    package var pipeline: PosePipeline { .framesOnly }

    /// Takes the next frame; arrivals are only in the result, once bags have settled.
    package mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent] {
        arrivals += detector.update(ColorGrid(try frame.frame.bitmap()), at: frame.frame.time)
        return []
    }

    package mutating func finish() -> [AnalysisEvent] {
        arrivals += detector.finish()
        return []
    }

    package var result: ArrivalsResult { ArrivalsResult(arrivals) }

    package var layers: [OverlayLayer] {
        [.hud(HUD(lines: arrivals.suffix(4).map { "\($0.time.text(1)) s  \($0.landing.rawValue)" }))]
    }

    package var summary: String { PlainText.counted(arrivals.count, "bag") }
}

/// The bags on a board seen from above; the JSON of `kinema toss --view board`.
package struct ArrivalsResult: AnalysisResult, Hashable {
    package struct Arrival: Codable, Sendable, Hashable {
        /// The times of coming into view and coming to rest, seconds.
        package var time: Double, settled: Double
        package var landing: String
        /// The points scored; the kind of throw cannot be seen from above.
        package var score: Int
        /// The resting point: x and y, normalised, origin at the lower left.
        package var point: [Double]
    }

    package var arrivals: [Arrival]
    package var total: Int

    init(_ found: [BagArrival]) {
        arrivals = found.map {
            Arrival(
                time: $0.time.rounded(to: 4), settled: $0.settled.rounded(to: 4), landing: $0.landing.rawValue,
                score: Scoring($0.landing, type: .none).rawValue, point: $0.location.pair)
        }
        total = arrivals.reduce(0) { $0 + $1.score }
    }

    package static var columns: [String] { ["time", "settled", "landing"] }

    package var rows: [[String]] { arrivals.map { [$0.time.text(3), $0.settled.text(3), $0.landing] } }

    package func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(arrivals.count, "bag")), \(PlainText.counted(total, "point"))"]
            + arrivals.map { "  \($0.time.text(2)) s  \($0.landing)" }
    }
}
