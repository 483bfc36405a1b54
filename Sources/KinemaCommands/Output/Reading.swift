import Foundation
import Kinema

/// An input that has been opened: its frames, and what every command tells about it.
struct Reading {
    let source: String
    let frames: VideoReader.AsyncFrames
    private let diagnostics = DiagnosticCollector()

    /// Opens a file as it was named.
    init(_ argument: String) async throws {
        try await self.init(InputChoice(argument))
    }

    /// Opens a command line's INPUT.
    init(_ choice: InputChoice) async throws {
        source = choice.source
        let teller = LiveTeller(source)
        frames = try await VideoReader.read(
            try choice.media(), live: choice.live, diagnostics: diagnostics, onState: teller.tell)
    }

    /// Ends a live source, so that its frames are settled; a file has ended or is let go of.
    func stop() {
        if frames.isLive { frames.stop() }
    }

    /// Ends a live source and gives what was noticed and not told yet.
    func conclude() -> [Diagnostic] {
        stop()
        return diagnostics.diagnostics.filter { $0.code != "live.reconnected" }
    }

    /// What became of a live source's frames, once it has ended; nil of files, which lose none.
    var live: FrameTally? { frames.isLive ? frames.tally : nil }

    var width: Int { Int(frames.frameSize.width) }
    var height: Int { Int(frames.frameSize.height) }
    /// How many frames there will be, roughly; for progress bars.
    var frameEstimate: Int? { frames.expectedFrameCount }

    /// Refuses outputs that would overwrite the input or each other.
    func refuse(outputs: [String]) throws {
        for (index, output) in outputs.enumerated() {
            // By the reader's own address, which on standard input is a file when the shell opened one.
            if sameFile(URL(filePath: output), frames.url) {
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

    /// Refuses a file that cannot be made where it is asked for.
    func refuse(unwritable output: String) throws {
        try OutputPlace.check(output)
    }
}
