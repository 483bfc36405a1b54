import Foundation
import Kinema
import KinemaDraw
import KinemaToss

/// Follows a game from the first frame to the last: shared by `toss` and `evaluate toss`.
struct TossRun: Sendable {
    var input: InputChoice
    var pipeline: PosePipeline
    var rules = TossRules()
    var judge: any ThrowTypeJudge = PostureJudge()
    /// Where the board is said to be: normalised, origin at the lower left.
    var board: CGRect?
    var overlay: String?
    var plot: String?
    var showsProgress = true
    /// Called with each throw as soon as it is over.
    var onThrow: (@Sendable (TossThrow) throws -> Void)?

    /// The result of a run, with what was noticed on the way.
    struct Outcome: Sendable {
        var report: TossReport
        var cameraMoves: Bool
        var diagnostics: [Diagnostic]
    }

    init(input: InputChoice, pipeline: PosePipeline) {
        self.input = input
        self.pipeline = pipeline
        // The release is a matter of milliseconds; smoothing would make hands late.
        self.pipeline.smooths = false
    }

    /// Reads and judges everything; an interrupted run returns what it has.
    func frames(_ interruption: Interruption? = nil) async throws -> Outcome {
        let reading = try await Reading(input)
        var film = try FilmRun(reading, pipeline: pipeline, overlay: overlay, outputs: [plot])
        film.showsProgress = showsProgress
        var analysis = TossAnalysis(self, reading: reading)
        let outcome = try await film.frames(to: &analysis, interruption)
        try analysis.finish()
        var report = TossReport(source: reading.source)
        report.board = analysis.game.board
        report.completedThrows = analysis.game.completedThrows
        report.stats = analysis.game.stats
        report.frames = outcome.frames
        report.duration = outcome.duration
        report.live = outcome.live
        report.seconds = outcome.seconds
        if let plot { try chart(report, analysis.game.aspectRatio).write(to: URL(filePath: plot)) }
        return Outcome(report: report, cameraMoves: analysis.cameraMoves, diagnostics: reading.conclude())
    }

    private func chart(_ report: TossReport, _ aspectRatio: Double) -> TossChart {
        let most = Scoring.maximum(throws: max(report.stats.throwCount, 1))
        return TossChart(
            title:
                "\(PlainText.oneLine(report.source)): \(report.stats.totalScore) of \(PlainText.counted(most, "point")) in "
                    + PlainText.counted(report.stats.throwCount, "throw"),
            throwList: report.completedThrows.map { one in
                .init(path: one.path.map(\.point), text: one.line)
            }, board: report.board?.corners ?? [], aspectRatio: aspectRatio)
    }
}
