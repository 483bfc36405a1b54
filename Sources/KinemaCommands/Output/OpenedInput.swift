import Foundation
import Kinema

/// A video, a picture or a live source that has been opened.
struct OpenedInput: AnalysisSource {
    let source: String
    let frames: VideoReader.AsyncFrames
    private let diagnostics = DiagnosticCollector()

    init(_ argument: String) async throws {
        try await self.init(InputChoice(argument))
    }

    init(_ choice: InputChoice) async throws {
        source = choice.source
        let reporter = ConnectionReporter(source)
        frames = try await VideoReader.read(
            try choice.media(), isolation: choice.isolation, decoding: choice.decoding, live: choice.live,
            diagnostics: diagnostics,
            onState: reporter.report)
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
