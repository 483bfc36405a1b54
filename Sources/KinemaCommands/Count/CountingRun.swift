import Foundation
import Kinema
import KinemaDraw

/// Counts one input from its first frame to its last: shared by `count`, `demo` and `evaluate`.
struct CountingRun: Sendable {
    var input: String
    var pipeline: PosePipeline
    var downsample = 1
    var joints = JointChoice()
    var scope = PeopleCounter.Scope.prominent
    var overlay: String?
    var plot: String?
    var showsProgress = true
    /// Called with each repetition as soon as it is known.
    var onRepetition: (@Sendable (RepetitionEvent) throws -> Void)?

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
        try reading.refuse(outputs: [overlay, plot].compactMap(\.self))
        if let plot { try reading.refuse(unwritable: plot) }
        let writer = try overlay.map { try OverlayWriter(path: $0, timescale: reading.frames.timescale) }
        var state = State(self, reading: reading)
        let started = ContinuousClock.now
        do {
            for try await element in pipeline(reading.frames) {
                try state.take(element)
                try await writer?.add(
                    element.feature.frame, poses: element.feature.poses, hud: state.hud, strip: state.strip)
                if showsProgress {
                    Console.shared.progress(
                        state.report.frames, of: reading.frameEstimate, note: "\(state.report.count) repetitions")
                }
                if interruption?.isRaised == true { break }
            }
        } catch is CancellationError {}
        try state.finish()
        state.report.seconds = (ContinuousClock.now - started) / .seconds(1)
        try await writer?.finish()
        if let plot {
            let chart = RepetitionChart(
                title: reading.source, signals: state.recorder?.everyone ?? [], duration: state.report.duration)
            try chart.write(to: URL(filePath: plot))
        }
        return Outcome(report: state.report, diagnostics: reading.diagnostics.diagnostics)
    }
}

extension CountingRun {
    /// Everything that changes from frame to frame.
    private struct State {
        let run: CountingRun
        let rate: Double?
        var counter: PeopleCounter
        var report: CountReport
        var recorder: SignalRecorder?
        var time: TimeInterval = 0

        init(_ run: CountingRun, reading: Reading) {
            self.run = run
            rate = reading.rate
            let shape = Double(reading.width) / Double(max(1, reading.height))
            counter = PeopleCounter(scope: run.scope, aspectRatio: shape)
            report = CountReport(source: reading.source)
            // Nobody pays for a chart that is not asked for.
            if run.overlay != nil || run.plot != nil {
                recorder = SignalRecorder(scope: run.scope, keepsAll: run.plot != nil)
            }
        }

        mutating func take(_ element: TemporalFeature<PosedFrame>) throws {
            let poses = element.feature.poses
            defer { report.frames += 1 }
            time = element.feature.frame.time
            report.duration = element.id.rangeInSeconds.upperBound
            if !poses.isEmpty { report.framesWithSomeone += 1 }
            guard report.frames % run.downsample == 0 else { return }
            let ended = counter.append(poses.map { run.joints.applied(to: $0) }, at: time)
            recorder?.add(counter, at: time)
            if !ended.isEmpty { try tell(at: time) }
        }

        mutating func finish() throws {
            counter.finish()
            try tell(at: report.duration)
            recorder?.finish(counter.people)
        }

        private mutating func tell(at time: TimeInterval) throws {
            let events = report.update(counter.people, scope: run.scope, at: time)
            if let onRepetition = run.onRepetition { try events.forEach(onRepetition) }
        }

        var strip: StripChart? { recorder?.strip(at: time) }

        var hud: HUD {
            HUD(
                count: report.count, framesPerSecond: rate, lines: recorder?.phase.map { ["phase: \($0)"] } ?? [])
        }
    }
}
