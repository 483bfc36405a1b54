import Foundation
import Kinema
import Synchronization

/// An input opened for an analysis: a video, a picture, a live source or a pose file.
struct OpenedInput: Sendable {
    let source: String
    /// The file that is read; on standard input the one that the shell opened.
    let url: URL
    let width, height: Int
    /// Ticks a second in the frames' identifiers.
    let timescale: Int
    /// The approximate number of frames, for progress bars.
    let frameEstimate: Int?
    /// The interpretation of a pose file's numbers; nil if that is clear.
    let note: String?
    /// Nil for a pose file.
    let video: VideoReader.AsyncFrames?
    /// The frames; the pipeline finds the poses in pictures.
    let posed: @Sendable (_ pipeline: PosePipeline) throws -> AnyTemporalSequence<PosedFrame>
    private let diagnostics = DiagnosticCollector()

    /// Opens an input other than a pose file. Files also have the frames between those selected if `keepsSkipped`.
    init(_ choice: InputChoice, keepsSkipped: Bool = false) async throws {
        let choice = try choice.timed(choice.timing)
        let reporter = ConnectionReporter(choice.source)
        let frames = try await VideoReader.read(
            try choice.media(), isolation: choice.isolation, orientation: choice.orientation, timing: choice.timing,
            selection: choice.selection ?? .all, keepsSkipped: keepsSkipped, live: choice.live,
            diagnostics: diagnostics, onState: reporter.report)
        // What is wrong with the file itself comes first.
        if let mismatch = choice.mismatch {
            frames.stop()
            throw mismatch
        }
        (source, url, timescale) = (choice.source, frames.url, frames.timescale)
        (width, height) = (Int(frames.frameSize.width), Int(frames.frameSize.height))
        (frameEstimate, note, video) = (frames.expectedFrameCount, frames.note, frames)
        posed = { AnyTemporalSequence($0(frames)) }
    }

    /// Opens a command line's INPUT if it is a pose file and the command reads these.
    init?(poses choice: InputChoice) throws {
        guard var poses = choice.poses else { return nil }
        poses.reader.diagnostics = diagnostics
        if case .speed(let speed) = try choice.timed(choice.timing).timing { poses.reader.speed = speed }
        let (frames, every) = (try poses.reader.frames(contentsOf: poses.file), choice.every)
        if choice.statesRate, frames.statesTimes {
            throw KinemaError(
                .invalidArgument, "--fps applies to files without times; this one has its own", file: choice.source)
        }
        (source, url, timescale) = (choice.source, frames.url, 1_000_000)
        (width, height) = (Int(frames.frameSize.width), Int(frames.frameSize.height))
        let rate = poses.reader.rate.text(poses.reader.rate == poses.reader.rate.rounded() ? 0 : 3)
        let assumed = choice.statesRate || frames.statesTimes ? nil : "no times: \(rate) frames a second (--fps)"
        let notes = [frames.note, assumed].compactMap(\.self)
        note = notes.isEmpty ? nil : notes.joined(separator: "; ")
        (frameEstimate, video) = (frames.count.map { $0 / every }, nil)
        posed = { _ in try Downsampler(factor: every).applied(to: frames, eventHandler: nil) }
    }

    var tally: @Sendable () -> FrameTally { { [video] in video?.tally ?? FrameTally() } }

    /// The frame counts of a live source after its end; nil for files, which lose no frame.
    var live: FrameTally? { video.flatMap { $0.isLive ? $0.tally : nil } }

    /// Stops reading, from any task: waiting for a frame throws CancellationError, and a live source's counts are final.
    @Sendable func stop() { video?.stop() }

    /// Stops reading and returns the findings not reported yet.
    func conclude() -> [Diagnostic] {
        stop()
        return diagnostics.diagnostics.filter { $0.code != "live.reconnected" }
    }

    /// Refuses outputs that would overwrite the input or each other.
    func refuse(outputs: [String]) throws {
        for (index, output) in outputs.enumerated() {
            if sameFile(URL(filePath: output), url) {
                throw KinemaError(.invalidArgument, "the output is the input itself; choose another file", file: output)
            }
            for other in outputs[..<index] where Self.isOneFile(output, other) {
                throw KinemaError(.invalidArgument, "two outputs are the same file; choose another", file: output)
            }
        }
    }

    private static func isOneFile(_ one: String, _ other: String) -> Bool {
        let (first, second) = (URL(filePath: one), URL(filePath: other))
        return first.standardizedFileURL.path == second.standardizedFileURL.path || sameFile(first, second)
    }
}

/// Reports on standard error when a camera or a stream is lost, and when it is back.
final class ConnectionReporter: Sendable {
    private let source: String
    private let wasLost = Mutex(false)
    private let observer = RunObserver.current

    init(_ source: String) { self.source = source }

    func report(_ state: ConnectionState) {
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
            Console.shared.line("kinema: \(source): lost: \(reason); retrying until it is back (Ctrl-C stops)")
        }
    }
}
