import Foundation
import Kinema
import KinemaDraw

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

        var report: AnalysisReport<Done.Result> { AnalysisReport(run: run, result: analysis.result) }
        /// The frames' width divided by their height.
        var aspectRatio: Double { Double(size.width) / Double(max(1, size.height)) }
    }

    /// Reads and analyses everything; an interrupted run returns what it has.
    ///
    /// `onEvent` is called with each event, `onFrame` with each frame and its number.
    func run<Chosen: Analysis>(
        _ analysis: Chosen, _ interruption: Interruption?,
        onEvent: ((AnalysisEvent) throws -> Void)? = nil, onFrame: ((PosedFrame, Int) throws -> Void)? = nil
    ) async throws -> Outcome<Chosen> {
        let reading = try await Reading(input)
        try reading.refuse(outputs: [overlay].compactMap(\.self) + outputs + outputFolders)
        for output in outputs { try reading.refuse(unwritable: output) }
        let writer = try overlay.map { try OverlayWriter(path: $0, timescale: reading.frames.timescale) }
        var analysis = analysis
        var run = AnalysisRun(source: reading.source)
        let started = ContinuousClock.now
        do {
            for try await element in analysis.pipeline(reading.frames) {
                run.add(element.feature, until: element.id.rangeInSeconds.upperBound)
                for event in try await analysis.take(element.feature) { try onEvent?(event) }
                try onFrame?(element.feature, run.frames - 1)
                try await writer?.add(element.feature.frame, analysis.layers)
                if showsProgress {
                    Console.shared.progress(run.frames, of: reading.frameEstimate, note: analysis.summary)
                }
                if interruption?.isRaised == true { break }
            }
        } catch is CancellationError {}
        reading.stop()
        run.live = reading.live
        for event in analysis.finish() { try onEvent?(event) }
        run.seconds = (ContinuousClock.now - started) / .seconds(1)
        try await writer?.finish()
        return Outcome(
            analysis: analysis, run: run, size: (reading.width, reading.height), diagnostics: reading.conclude())
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
    /// Runs an analysis over the input, writes its report, and says what was noticed.
    ///
    /// `endsLines` says whether JSON Lines end with the report; not where the events are all of it.
    func run<Chosen: Analysis>(
        _ analysis: Chosen, outputs: [String?] = [], endsLines: Bool = true, _ interruption: Interruption,
        then write: (InputRunner.Outcome<Chosen>) throws -> Void = { _ in }
    ) async throws -> InputRunner.Outcome<Chosen> {
        let runner = InputRunner(input: choice, overlay: overlay, outputs: outputs.compactMap(\.self))
        let output = StandardOutput()
        let outcome = try await runner.run(analysis, interruption, onEvent: output.events(in: format))
        Console.shared.endProgress()
        try write(outcome)
        if format != .jsonl || endsLines { try output.write(outcome.report, as: format) }
        Console.shared.warn(outcome.diagnostics)
        return outcome
    }
}
