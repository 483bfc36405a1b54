import Foundation
import Kinema
import KinemaDraw

/// Counts one input from its first frame to its last: shared by `count`, `demo` and `evaluate count`.
struct CountingRun: Sendable {
    var input: String
    var pipeline: PosePipeline
    var downsample = 1
    var joints = JointChoice()
    var scope = PeopleCounter.Scope.prominent
    var overlay: String?
    var showsProgress = true
    /// Called with each repetition as soon as it is known.
    var onRepetition: (@Sendable (Repetition) throws -> Void)?

    /// The result of a run, with what was noticed on the way.
    struct Outcome: Sendable {
        var report: CountReport
        var diagnostics: [Diagnostic]
    }

    init(input: String, pipeline: PosePipeline) {
        self.input = input
        self.pipeline = pipeline
    }

    /// Reads and counts everything; an interrupted run returns what it has.
    func frames(_ interruption: Interruption? = nil) async throws -> Outcome {
        let reading = try await Reading(input)
        try reading.refuse(outputs: [overlay].compactMap(\.self))
        let writer = try overlay.map { try OverlayWriter(path: $0, timescale: reading.frames.timescale) }
        let started = ContinuousClock.now
        var report = CountReport(source: reading.source)
        var counter = PeopleCounter(scope: scope, aspectRatio: Double(reading.width) / Double(max(1, reading.height)))
        do {
            for try await element in pipeline(reading.frames) {
                let (frame, poses) = (element.feature.frame, element.feature.poses)
                defer { report.frames += 1 }
                report.duration = element.id.rangeInSeconds.upperBound
                if !poses.isEmpty { report.framesWithSomeone += 1 }
                if report.frames % downsample == 0 {
                    let ended = counter.append(poses.map { joints.applied(to: $0) }, at: frame.time)
                    if let onRepetition { try ended.forEach(onRepetition) }
                }
                try await writer?.add(
                    frame, poses: poses, hud: HUD(count: counter.count, framesPerSecond: reading.rate))
                if showsProgress {
                    Console.shared.progress(
                        report.frames + 1, of: reading.frameEstimate, note: "\(counter.count) repetitions")
                }
                if interruption?.isRaised == true { break }
            }
        } catch is CancellationError {}
        let last = counter.finish()
        if let onRepetition { try last.forEach(onRepetition) }
        report.count = counter.count
        report.people = counter.people
        report.seconds = (ContinuousClock.now - started) / .seconds(1)
        try await writer?.finish()
        return Outcome(report: report, diagnostics: reading.diagnostics.diagnostics)
    }
}
