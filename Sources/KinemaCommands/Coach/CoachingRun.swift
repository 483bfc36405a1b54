import Foundation
import Kinema
import KinemaDraw

/// Coaches everyone in one input from its first frame to its last.
struct CoachingRun: Sendable {
    var input: InputChoice
    var pipeline: PosePipeline
    var choice = ExerciseChoice.automatic
    var scope = PeopleCounter.Scope.prominent
    var overlay: String?
    var plot: String?
    var showsProgress = true
    /// Called with each repetition as soon as it is known.
    var onRepetition: (@Sendable (CoachEvent) throws -> Void)?

    /// The result of a run, with what was noticed on the way.
    struct Outcome: Sendable {
        var report: CoachReport
        var diagnostics: [Diagnostic]
    }

    init(input: InputChoice, pipeline: PosePipeline) {
        self.input = input
        self.pipeline = pipeline
    }

    /// Reads and coaches everything; an interrupted run returns what it has.
    func frames(_ interruption: Interruption? = nil) async throws -> Outcome {
        let reading = try await Reading(input)
        var film = try FilmRun(reading, pipeline: pipeline, overlay: overlay, outputs: [plot])
        film.showsProgress = showsProgress
        var analysis = CoachingAnalysis(self, reading: reading)
        let outcome = try await film.frames(to: &analysis, interruption)
        try analysis.finish()
        var report = CoachReport(source: reading.source)
        report.take(analysis.coach.people)
        report.frames = outcome.frames
        report.framesWithSomeone = outcome.framesWithSomeone
        report.duration = outcome.duration
        report.live = outcome.live
        report.seconds = outcome.seconds
        if let plot {
            let chart = RepetitionChart(
                title: reading.source, signals: analysis.signals, duration: outcome.duration)
            try chart.write(to: URL(filePath: plot))
        }
        return Outcome(report: report, diagnostics: reading.conclude())
    }
}
