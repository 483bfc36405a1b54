import Foundation
import Kinema
import KinemaDraw
import Synchronization

/// Runs an analysis over an input, from its first frame to its last, and writes the overlay beside.
struct InputRunner: Sendable {
    var input: InputChoice
    /// Where the frames go with what was found drawn on them; nil for nowhere.
    var overlay: String?
    /// The other files the command writes; none of them may be the input.
    var outputs: [String] = []
    /// The folders it writes.
    var outputFolders: [String] = []
    var showsProgress = true

    /// An analysis that has taken everything, and how that went.
    struct Outcome<Done: Analysis>: Sendable {
        var analysis: Done
        var run: AnalysisRun
        /// The frames' size in pixels.
        var size: (width: Int, height: Int)
        /// What was noticed on the way.
        var diagnostics: [Diagnostic]
        /// Why the overlay is not whole; nil if it is, or if none was wanted.
        var overlayFailure: (any Error)?

        var report: AnalysisReport<Done.Result> { AnalysisReport(run: run, result: analysis.result) }
        /// The frames' width divided by their height.
        var aspectRatio: Double { Double(size.width) / Double(max(1, size.height)) }
    }

    /// Reads and analyses everything; an interrupted run returns what it has, one in a cancelled task throws.
    ///
    /// `onEvent` is called with each event, `onFrame` with each frame and its number. An overlay that cannot be written
    /// any further does not end the run.
    func run<Chosen: Analysis>(
        _ analysis: Chosen, _ interruption: Interruption,
        onEvent: ((AnalysisEvent) throws -> Void)? = nil, onFrame: ((PosedFrame, Int) throws -> Void)? = nil
    ) async throws -> Outcome<Chosen> {
        if let poses = try OpenedPoses(input) {
            return try await run(analysis, over: poses, interruption, onEvent: onEvent, onFrame: onFrame)
        }
        // Waited for even where the input cannot be opened: the runtime must not be unloaded while it loads.
        async let models: Void = analysis.pipeline.prepareModels(isLive: input.isLive)
        let opened = try await interruption.cancelling { [input] in try await OpenedInput(input) }
        await models
        return try await run(analysis, over: opened, interruption, onEvent: onEvent, onFrame: onFrame)
    }

    private func run<Chosen: Analysis>(
        _ analysis: Chosen, over reading: some AnalysisSource, _ interruption: Interruption,
        onEvent: ((AnalysisEvent) throws -> Void)?, onFrame: ((PosedFrame, Int) throws -> Void)?
    ) async throws -> Outcome<Chosen> {
        try reading.refuse(outputs: [overlay].compactMap(\.self) + outputs + outputFolders)
        for output in [overlay].compactMap(\.self) + outputs { try OutputPlace.check(output) }
        let writer = try overlay.map { try OverlayWriter(path: $0, timescale: reading.timescale) }
        var analysis = analysis
        var run = AnalysisRun(source: reading.source)
        run.note = reading.note
        run.neededSeconds = analysis.neededSeconds
        let started = ContinuousClock.now
        let observer = RunObservation.current
        observer?.opened(reading.tally)
        do {
            try await interruption.stopping(reading.stop) {
                for try await element in reading.posed(by: analysis.pipeline) {
                    run.add(element.feature, until: element.id.rangeInSeconds.upperBound)
                    for event in try await analysis.take(element.feature) { try onEvent?(event) }
                    observer?.took(element.feature.frame)
                    try onFrame?(element.feature, run.frames - 1)
                    await writer?.add(element.feature.frame, analysis.layers)
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
        // What was drawn is whole before anything else can fail.
        let overlayFailure = await writer?.finish()
        for event in analysis.finish() { try onEvent?(event) }
        run.seconds = (ContinuousClock.now - started) / .seconds(1)
        var outcome = Outcome(
            analysis: analysis, run: run, size: (reading.width, reading.height), diagnostics: reading.conclude(),
            overlayFailure: overlayFailure)
        outcome.diagnostics += outcome.report.shortage.map { [$0] } ?? []
        return outcome
    }
}

extension StandardOutput {
    /// Writes a report in the format asked for.
    func write(_ report: AnalysisReport<some AnalysisResult>, as format: OutputFormat) throws {
        switch format {
        case .text: try line(report.text)
        case .csv: try write(Array(report.csv.utf8))
        case .json, .jsonl: try write(JSONText.visible(report.json()) + [UInt8(ascii: "\n")])
        }
    }

    /// Writes an event as a line of JSON Lines.
    func write(_ event: AnalysisEvent) throws {
        try write(JSONText.visible(event.json()) + [UInt8(ascii: "\n")])
    }

    /// Writes events in the format that tells them as they happen; nil in the others.
    func events(in format: OutputFormat) -> ((AnalysisEvent) throws -> Void)? {
        format == .jsonl ? { event in try write(event) } : nil
    }
}

extension MediaOptionGroup {
    /// Runs an analysis over the input, writes its report, says what was noticed, and writes the files beside, of which
    /// each is tried; then it throws what could not be written.
    ///
    /// `input` is what the options say unless given; `endsLines` says whether JSON Lines end with the report, which they
    /// do not where the events are all of it.
    func run<Chosen: Analysis>(
        _ analysis: Chosen, over input: InputChoice? = nil, outputs: [String?] = [], endsLines: Bool = true,
        _ interruption: Interruption,
        then write: (InputRunner.Outcome<Chosen>, inout SideFiles) -> Void = { _, _ in }
    ) async throws -> InputRunner.Outcome<Chosen> {
        let runner = InputRunner(input: input ?? choice, overlay: overlay, outputs: outputs.compactMap(\.self))
        let output = StandardOutput()
        let outcome = try await runner.run(analysis, interruption, onEvent: output.events(in: format))
        Console.shared.endProgress()
        var files = SideFiles()
        if format != .jsonl || endsLines { files.write { try output.write(outcome.report, as: format) } }
        Console.shared.warn(outcome.diagnostics)
        files.add(outcome.overlayFailure)
        write(outcome, &files)
        try files.conclude()
        return outcome
    }
}

/// An input that has been opened for an analysis: its frames with the poses in them, and what every command tells about
/// it.
protocol AnalysisSource: Sendable {
    /// The frames with their poses.
    associatedtype Frames: TemporalSequence where Frames.Feature == PosedFrame

    /// The name in results.
    var source: String { get }
    /// The file, by the reader's own address, which on standard input is a file when the shell opened one.
    var url: URL { get }
    /// Ticks a second in the frames' identifiers.
    var timescale: Int { get }
    /// The frames' size in pixels.
    var width: Int { get }
    var height: Int { get }
    /// How many frames there will be, roughly; for progress bars.
    var frameEstimate: Int? { get }
    /// Tells at any time how many frames came, were handed over and were dropped.
    var tally: @Sendable () -> FrameTally { get }
    /// What became of a live source's frames, once it has ended; nil of files, which lose none.
    var live: FrameTally? { get }
    /// What the numbers of a pose file were taken for; nil where that is no question.
    var note: String? { get }

    /// The frames; where they show pictures, the pipeline finds the poses.
    func posed(by pipeline: PosePipeline) -> Frames
    /// Ends the reading from anywhere: whoever waits for a frame gets CancellationError; a live source's frames are settled.
    @Sendable func stop()
    /// Ends the reading and gives what was noticed and not told yet.
    func conclude() -> [Diagnostic]
}

/// A pose file that has been opened.
struct OpenedPoses: AnalysisSource {
    let source: String
    let frames: PoseFileFrames
    let timescale = 1_000_000
    private let diagnostics = DiagnosticCollector()

    /// Opens a command line's INPUT if it is a pose file and the command reads these.
    init?(_ choice: InputChoice) throws {
        guard var poses = choice.poses else { return nil }
        source = choice.source
        poses.reader.diagnostics = diagnostics
        frames = try poses.reader.frames(contentsOf: poses.file)
        if choice.statesRate, frames.statesTimes {
            throw KinemaError(
                .invalidArgument, "--fps goes with files without times; this one states its own", file: source)
        }
    }

    var url: URL { frames.url }
    var width: Int { Int(frames.frameSize.width) }
    var height: Int { Int(frames.frameSize.height) }
    var frameEstimate: Int? { frames.count }
    var tally: @Sendable () -> FrameTally { { FrameTally() } }
    var live: FrameTally? { nil }

    var note: String? { frames.note }

    func posed(by pipeline: PosePipeline) -> PoseFileFrames { frames }
    @Sendable func stop() {}
    func conclude() -> [Diagnostic] { diagnostics.diagnostics }
}

/// A video, a picture or a live source that has been opened.
struct OpenedInput: AnalysisSource {
    let source: String
    let frames: VideoReader.AsyncFrames
    private let diagnostics = DiagnosticCollector()

    /// Opens a file as it was named. What is timed is decoded in this process, where its time is counted.
    init(_ argument: String, isTimed: Bool = false) async throws {
        var choice = InputChoice(argument)
        if isTimed { choice.isolation = .none }
        try await self.init(choice)
    }

    /// Opens a command line's INPUT.
    init(_ choice: InputChoice) async throws {
        source = choice.source
        let reporter = ConnectionReporter(source)
        frames = try await VideoReader.read(
            try choice.media(), isolation: choice.isolation, decoding: choice.decoding, live: choice.live,
            diagnostics: diagnostics,
            onState: reporter.tell)
    }

    func posed(by pipeline: PosePipeline) -> PosedFrames { pipeline(frames) }

    @Sendable func stop() { frames.stop() }

    func conclude() -> [Diagnostic] {
        stop()
        return diagnostics.diagnostics.filter { $0.code != "live.reconnected" }
    }

    var url: URL { frames.url }
    var timescale: Int { frames.timescale }
    var tally: @Sendable () -> FrameTally { { [frames] in frames.tally } }
    var live: FrameTally? { frames.isLive ? frames.tally : nil }
    var note: String? { nil }

    var width: Int { Int(frames.frameSize.width) }
    var height: Int { Int(frames.frameSize.height) }
    var frameEstimate: Int? { frames.expectedFrameCount }
}

extension AnalysisSource {
    /// Refuses outputs that would overwrite the input or each other.
    func refuse(outputs: [String]) throws {
        for (index, output) in outputs.enumerated() {
            if sameFile(URL(filePath: output), url) {
                throw KinemaError(.invalidArgument, "the output is the input itself; name another file", file: output)
            }
            for other in outputs[..<index] where isOneFile(output, other) {
                throw KinemaError(.invalidArgument, "two outputs are the same file; name another", file: output)
            }
        }
    }

    private func isOneFile(_ one: String, _ other: String) -> Bool {
        let (first, second) = (URL(filePath: one), URL(filePath: other))
        return first.standardizedFileURL.path == second.standardizedFileURL.path || sameFile(first, second)
    }
}

/// Tells on standard error when a camera or a stream is lost, and when it is back.
final class ConnectionReporter: Sendable {
    private let source: String
    private let wasLost = Mutex(false)
    private let observer = RunObservation.current

    init(_ source: String) {
        self.source = source
    }

    func tell(_ state: ConnectionState) {
        observer?.changed(state)
        switch state {
        case .connecting: return
        case .live:
            let isBack = wasLost.withLock { wasLost in
                defer { wasLost = false }
                return wasLost
            }
            if isBack { Console.shared.line("kinema: \(source): back") }
        case .reconnecting(let reason):
            wasLost.withLock { $0 = true }
            Console.shared.line("kinema: \(source): lost: \(reason); trying again until it is back (Ctrl-C ends)")
        }
    }
}

/// Hears how a run goes while it goes on.
protocol RunObserver: Sendable {
    /// The input is open; `tally` tells at any time what became of its frames.
    func opened(_ tally: @escaping @Sendable () -> FrameTally)
    /// A frame was analysed.
    func took(_ frame: VideoFrame)
    /// A live source came, was lost or came back.
    func changed(_ state: ConnectionState)
}

/// Who hears of the runs in the current task and those it starts.
enum RunObservation {
    @TaskLocal static var current: (any RunObserver)?
}
