import Foundation
import Kinema
import KinemaDraw
import KinemaToss

/// Watches the board from above from the first frame to the last.
struct ArrivalsRun: Sendable {
    var input: InputChoice
    var overlay: String?

    /// The result of a run, with what was noticed on the way.
    struct Outcome: Sendable {
        var report: ArrivalsReport
        var diagnostics: [Diagnostic]
    }

    init(input: InputChoice) {
        self.input = input
    }

    /// Reads and judges everything; an interrupted run returns what it has.
    func frames(_ interruption: Interruption? = nil) async throws -> Outcome {
        let reading = try await Reading(input)
        try reading.refuse(outputs: [overlay].compactMap(\.self))
        let writer = try overlay.map { try OverlayWriter(path: $0, timescale: reading.frames.timescale) }
        var report = ArrivalsReport(source: reading.source)
        var watch = BoardWatch()
        do {
            for try await element in reading.frames {
                report.frames += 1
                report.duration = element.id.rangeInSeconds.upperBound
                let frame = element.feature
                report.arrivals += watch.update(ColorGrid(try frame.bitmap()), at: frame.time)
                try await writer?.add(frame, poses: [], hud: HUD(lines: Self.lines(report.arrivals)))
                Console.shared.progress(
                    report.frames, of: reading.frameEstimate, note: PlainText.counted(report.arrivals.count, "bag"))
                if interruption?.isRaised == true { break }
            }
        } catch is CancellationError {}
        report.arrivals += watch.finish()
        try await writer?.finish()
        return Outcome(report: report, diagnostics: reading.conclude())
    }

    private static func lines(_ arrivals: [BagArrival]) -> [String] {
        arrivals.suffix(4).map { String(format: "%.1f s  ", $0.time) + $0.landing.rawValue }
    }
}
