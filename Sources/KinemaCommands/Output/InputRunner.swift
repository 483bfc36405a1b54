import ArgumentParser
import Foundation
package import Kinema
import KinemaDraw

/// Runs an analysis over an input, from its first frame to its last, and writes the overlay.
package struct InputRunner: Sendable {
    var input: InputChoice
    var overlay: String?
    var hiding: Hiding?
    var showsReadout = false
    var look = OverlayRenderer.Look.plain
    /// The other output files; none of them may be the input.
    var outputs: [String] = []
    var outputFolders: [String] = []
    var showsProgress = true

    package init(
        input: InputChoice, overlay: String? = nil, hiding: Hiding? = nil, showsReadout: Bool = false,
        outputs: [String] = [], outputFolders: [String] = [], showsProgress: Bool = true
    ) {
        (self.input, self.overlay, self.hiding, self.showsReadout) = (input, overlay, hiding, showsReadout)
        (self.outputs, self.outputFolders, self.showsProgress) = (outputs, outputFolders, showsProgress)
    }

    package struct Outcome<Done: Analysis>: Sendable {
        package var analysis: Done
        package var run: AnalysisRun
        var size: (width: Int, height: Int)
        var diagnostics: [Diagnostic]
        var overlayFailure: (any Error)?

        var report: AnalysisReport<Done.Result> { AnalysisReport(run: run, result: analysis.result) }
        package var aspectRatio: Double { Double(size.width) / Double(max(1, size.height)) }
    }

    /// Reads and analyses everything; an interrupted run returns its results so far, a cancelled task throws. Calls
    /// `onEvent` with each event and `onFrame` with each frame and its number. A failing overlay does not end the run.
    package func run<Chosen: Analysis>(
        _ analysis: Chosen, _ interruption: Interruption,
        onEvent: ((AnalysisEvent) throws -> Void)? = nil, onFrame: ((PosedFrame, Int) throws -> Void)? = nil
    ) async throws -> Outcome<Chosen> {
        let files = [overlay].compactMap(\.self) + outputs
        for output in files + outputFolders { try OutputPlace.checkName(output) }
        let reading = try await open(for: analysis, interruption)
        try reading.refuse(outputs: files + outputFolders)
        for file in files { try OutputPlace.check(file) }
        let writer = try overlay.map {
            try OverlayWriter(path: $0, timescale: reading.timescale, hiding: hiding, look: look)
        }
        var analysis = analysis
        var run = AnalysisRun(source: reading.source)
        run.note = reading.note
        run.neededSeconds = analysis.neededSeconds
        let (started, stages) = (ContinuousClock.now, StageTimes.now)
        var rate = FrameRateMeter()
        let observer = RunObserver.current
        observer?.opened(reading.tally)
        do {
            try await interruption.stopping(reading.stop) {
                var pipeline = analysis.pipeline
                pipeline.needsPictures = writer != nil || !(analysis is any PoseOnlyAnalysis)
                for try await element in try reading.posed(pipeline) {
                    guard element.feature.isAnalysed else {
                        run.duration = element.id.rangeInSeconds.upperBound
                        await draw(element.feature, analysis, rate: rate.latest, with: writer)
                        continue
                    }
                    run.add(element.feature, until: element.id.rangeInSeconds.upperBound)
                    let events = try StageTimes.measure(.analyse) { try analysis.take(element.feature) }
                    let analysed = ContinuousClock.now
                    for event in events { try onEvent?(event) }
                    observer?.took(element.feature.frame)
                    try onFrame?(element.feature, run.frames - 1)
                    rate.add(at: analysed)
                    await draw(element.feature, analysis, rate: rate.latest, with: writer)
                    StageTimes.add(ContinuousClock.now - analysed, to: .write)
                    if showsProgress {
                        Console.shared.progress(run.frames, of: reading.frameEstimate, note: analysis.summary)
                    }
                    if interruption.isRaised { break }
                }
            }
        } catch is CancellationError where interruption.isRaised {
        } catch {
            _ = await writer?.finish()
            throw error
        }
        reading.stop()
        run.live = reading.live
        // Finish the overlay before anything else can fail.
        let ending = ContinuousClock.now
        let overlayFailure = await writer?.finish()
        StageTimes.add(ContinuousClock.now - ending, to: .write)
        for event in StageTimes.measure(.analyse, { analysis.finish() }) { try onEvent?(event) }
        run.seconds = (ContinuousClock.now - started) / .seconds(1)
        if input.isVerbose { Console.shared.line("stages: \((StageTimes.now - stages).text)") }
        var outcome = Outcome(
            analysis: analysis, run: run, size: (reading.width, reading.height), diagnostics: reading.conclude(),
            overlayFailure: overlayFailure)
        outcome.diagnostics += outcome.report.shortage.map { [$0] } ?? []
        return outcome
    }

    /// Writes a frame with the layers of the analysis; people in a frame that was not analysed are where it says.
    private func draw(
        _ seen: PosedFrame, _ analysis: some Analysis, rate: Double?, with writer: OverlayWriter?
    ) async {
        guard let writer else { return }
        let layers = analysis.layers
        let readout = showsReadout ? [OverlayLayer.readout(JointReadout(seen.poses, rate: rate))] : []
        await writer.add(
            seen.frame,
            (seen.isAnalysed ? layers : layers.showing(seen.poses, hands: seen.hands.map(\.pose))) + readout)
    }

    /// Opens the input for the frames that the analysis needs. A live source has all that it can analyse, unless several
    /// are watched.
    private func open(for analysis: some Analysis, _ interruption: Interruption) async throws -> OpenedInput {
        let pipeline = analysis.pipeline
        if let poses = try OpenedInput(poses: input) { return poses }
        // Awaited even if the input cannot be opened: the runtime must not be unloaded while it loads.
        async let models: Void = pipeline.prepareModels(isLive: input.isLive)
        let opened = try await interruption.cancelling { [input, overlay] in
            var input = input
            if !input.isLive || RunObserver.current != nil {
                input.selection = input.selection ?? analysis.framesToRead
            }
            return try await OpenedInput(input, keepsSkipped: overlay != nil)
        }
        await models
        if pipeline.onlyPart != nil, let video = opened.video {
            try await interruption.stopping(opened.stop) {
                try StandardOutput().write(await pipeline.partFile(of: video) + [UInt8(ascii: "\n")])
            }
            throw ExitCode.success
        }
        if let folder = pipeline.partFolder { _ = try OutputFolder.make(folder.path) }
        return opened
    }
}

/// Measures frames per second over the last second.
struct FrameRateMeter {
    private var times: [ContinuousClock.Instant] = []
    /// The index of the first time that counts; the others are removed together, since each removal moves all that stay.
    private var first = 0

    mutating func add(at time: ContinuousClock.Instant) {
        times.append(time)
        while times.count - first > 2, time - times[first + 1] > .seconds(1) { first += 1 }
        if first > times.count / 2 {
            times.removeFirst(first)
            first = 0
        }
    }

    /// The rate at the latest frame; nil for the first one.
    var latest: Double? {
        let frames = times.count - 1 - first
        guard frames > 0, let time = times.last else { return nil }
        return Double(frames) / ((time - times[first]) / .seconds(1))
    }
}

extension StandardOutput {
    func write(_ report: AnalysisReport<some AnalysisResult>, as format: OutputFormat) throws {
        switch format {
        case .text: try line(report.text)
        case .csv: try write(Array(report.csv.utf8))
        case .json, .jsonl: try write(JSONText.visible(report.json()) + [UInt8(ascii: "\n")])
        }
    }

    /// Writes events in JSON Lines as they happen; nil in other formats.
    func events(in format: OutputFormat) -> ((AnalysisEvent) throws -> Void)? {
        format == .jsonl ? { event in try write(JSONText.visible(event.json()) + [UInt8(ascii: "\n")]) } : nil
    }
}

extension MediaOptionGroup {
    /// Runs an analysis over the input, writes its report, findings and files, and then throws the first failure to
    /// write. `endsLines` says whether JSON Lines end with the report; `check` may refuse it.
    func run<Chosen: Analysis>(
        _ analysis: Chosen, over input: InputChoice? = nil, outputs: [String?] = [], endsLines: Bool = true,
        check: (InputRunner.Outcome<Chosen>) throws -> Void = { _ in }, _ interruption: Interruption,
        then write: (InputRunner.Outcome<Chosen>, inout SideFiles) async -> Void = { _, _ in }
    ) async throws -> InputRunner.Outcome<Chosen> {
        var runner = InputRunner(
            input: input ?? choice, overlay: overlay, hiding: hide, showsReadout: readout,
            outputs: outputs.compactMap(\.self))
        runner.look = look
        let output = StandardOutput()
        let outcome = try await runner.run(analysis, interruption, onEvent: output.events(in: format))
        Console.shared.endProgress()
        try check(outcome)
        var files = SideFiles()
        if format != .jsonl || endsLines { files.write { try output.write(outcome.report, as: format) } }
        Console.shared.warn(outcome.diagnostics)
        files.add(outcome.overlayFailure)
        await write(outcome, &files)
        try files.conclude()
        return outcome
    }
}

/// Callbacks of the runs in the current task and those it starts.
package struct RunObserver: Sendable {
    @TaskLocal package static var current: RunObserver?

    /// The input is open; the argument returns its frame counts so far.
    package var opened: @Sendable (@escaping @Sendable () -> FrameTally) -> Void
    package var took: @Sendable (VideoFrame) -> Void
    /// A live source connected, was lost or came back.
    package var changed: @Sendable (ConnectionState) -> Void

    package init(
        opened: @escaping @Sendable (@escaping @Sendable () -> FrameTally) -> Void,
        took: @escaping @Sendable (VideoFrame) -> Void, changed: @escaping @Sendable (ConnectionState) -> Void
    ) {
        (self.opened, self.took, self.changed) = (opened, took, changed)
    }
}

package protocol ResultSink: Sendable {
    func write(_ bytes: [UInt8]) throws
}
