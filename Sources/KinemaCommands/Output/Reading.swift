import Foundation
import Kinema

/// An input that has been opened: its frames, and what every command tells about it.
struct Reading {
    let source: String
    let frames: VideoReader.AsyncFrames
    let diagnostics = DiagnosticCollector()

    /// Opens a command line's INPUT.
    init(_ argument: String) async throws {
        let input = try MediaInput(argument: argument)
        source = argument
        frames = try await VideoReader.read(input, diagnostics: diagnostics)
    }

    var width: Int { Int(frames.frameSize.width) }
    var height: Int { Int(frames.frameSize.height) }
    /// Frames a second as the container says.
    var rate: Double { Double(frames.nominalFrameRate) }
    /// How many frames there will be, roughly; for progress bars.
    var frameEstimate: Int? { frames.expectedFrameCount }

    /// Refuses outputs that would overwrite the input.
    func refuse(outputs: [String]) throws {
        for output in outputs where sameFile(URL(filePath: output), URL(filePath: source)) {
            throw KinemaError(.invalidArgument, "the output is the input itself; name another file", file: output)
        }
    }
}
