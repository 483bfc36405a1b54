import Foundation
import Kinema
import Synchronization

/// A video, a picture or a live source that has been opened.
struct OpenedInput: AnalysisSource {
    let source: String
    let frames: VideoReader.AsyncFrames
    private let diagnostics = DiagnosticCollector()

    init(_ argument: String) async throws { try await self.init(InputChoice(argument)) }

    init(_ choice: InputChoice) async throws {
        source = choice.source
        let reporter = ConnectionReporter(source)
        frames = try await VideoReader.read(
            try choice.media(), isolation: choice.isolation, decoding: choice.decoding, orientation: choice.orientation,
            every: choice.every, live: choice.live, diagnostics: diagnostics, onState: reporter.report)
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

struct OpenedPoses: AnalysisSource {
    let source: String
    let frames: PoseFileFrames
    private let every: Int
    let timescale = 1_000_000
    private let diagnostics = DiagnosticCollector()

    /// Opens a command line's INPUT if it is a pose file and the command reads these.
    init?(_ choice: InputChoice) throws {
        guard var poses = choice.poses else { return nil }
        (source, every) = (choice.source, choice.every)
        poses.reader.diagnostics = diagnostics
        frames = try poses.reader.frames(contentsOf: poses.file)
        if choice.statesRate, frames.statesTimes {
            throw KinemaError(
                .invalidArgument, "--fps applies to files without times; this one has its own", file: source)
        }
    }

    var url: URL { frames.url }
    var width: Int { Int(frames.frameSize.width) }
    var height: Int { Int(frames.frameSize.height) }
    var frameEstimate: Int? { frames.count.map { $0 / every } }
    var tally: @Sendable () -> FrameTally { { FrameTally() } }
    var live: FrameTally? { nil }

    var note: String? { frames.note }

    func posed(by pipeline: PosePipeline) throws -> AnyTemporalSequence<PosedFrame> {
        try Downsampler(factor: every).applied(to: frames, eventHandler: nil)
    }

    @Sendable func stop() {}
    func conclude() -> [Diagnostic] { diagnostics.diagnostics }
}
