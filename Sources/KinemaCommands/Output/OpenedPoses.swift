import Foundation
import Kinema

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
                .invalidArgument, "--fps applies to files without times; this one has its own", file: source)
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
