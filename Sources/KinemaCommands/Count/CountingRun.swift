import Foundation
import Kinema
import KinemaDraw

/// Counts one input from its first frame to its last: shared by `count`, `demo` and `evaluate`.
struct CountingRun: Sendable {
    var input: InputChoice
    var pipeline: PosePipeline
    var downsample = 1
    var joints = JointChoice()
    var scope = PeopleCounter.Scope.prominent
    var overlay: String?
    var plot: String?
    var showsProgress = true
    /// Whether the outcome holds the poses too.
    var keepsPoses = false
    /// Called with each repetition as soon as it is known.
    var onRepetition: (@Sendable (RepetitionEvent) throws -> Void)?

    /// The result of a run, with what was noticed on the way.
    struct Outcome: Sendable {
        var report: CountReport
        /// The poses of each frame, if they were to be kept, and the pictures' width divided by their height.
        var film: [PosedMoment]
        var aspectRatio: Double
        var diagnostics: [Diagnostic]
    }

    init(input: InputChoice, pipeline: PosePipeline) {
        self.input = input
        self.pipeline = pipeline
    }

    /// Reads and counts everything; an interrupted run returns what it has.
    func frames(_ interruption: Interruption? = nil) async throws -> Outcome {
        let reading = try await Reading(input)
        var film = try FilmRun(reading, pipeline: pipeline, overlay: overlay, outputs: [plot])
        film.showsProgress = showsProgress
        var analysis = CountingAnalysis(self, reading: reading)
        let outcome = try await film.frames(to: &analysis, interruption)
        try analysis.finish(outcome)
        if let plot {
            let chart = RepetitionChart(
                title: reading.source, signals: analysis.recorder?.everyone ?? [], duration: outcome.duration)
            try chart.write(to: URL(filePath: plot))
        }
        return Outcome(
            report: analysis.report, film: analysis.film, aspectRatio: analysis.aspectRatio,
            diagnostics: reading.conclude())
    }
}
