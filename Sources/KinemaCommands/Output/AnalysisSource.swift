import Foundation
import Kinema

/// An input opened for an analysis: its frames with their poses, and its properties.
protocol AnalysisSource: Sendable {
    associatedtype Frames: TemporalSequence where Frames.Feature == PosedFrame

    var source: String { get }
    /// The file that is read; on standard input the one that the shell opened.
    var url: URL { get }
    /// Ticks a second in the frames' identifiers.
    var timescale: Int { get }
    var width: Int { get }
    var height: Int { get }
    /// The approximate number of frames, for progress bars.
    var frameEstimate: Int? { get }
    var tally: @Sendable () -> FrameTally { get }
    /// The frame counts of a live source after its end; nil for files, which lose no frame.
    var live: FrameTally? { get }
    /// The interpretation of a pose file's numbers; nil if that is clear.
    var note: String? { get }

    /// The frames; the pipeline finds the poses in pictures.
    func posed(by pipeline: PosePipeline) throws -> Frames
    /// Stops reading, from any task: waiting for a frame throws CancellationError, and a live source's counts are final.
    @Sendable func stop()
    /// Stops reading and returns the findings not reported yet.
    func conclude() -> [Diagnostic]
}

extension AnalysisSource {
    /// Refuses outputs that would overwrite the input or each other.
    func refuse(outputs: [String]) throws {
        for (index, output) in outputs.enumerated() {
            if sameFile(URL(filePath: output), url) {
                throw KinemaError(.invalidArgument, "the output is the input itself; choose another file", file: output)
            }
            for other in outputs[..<index] where isOneFile(output, other) {
                throw KinemaError(.invalidArgument, "two outputs are the same file; choose another", file: output)
            }
        }
    }

    private func isOneFile(_ one: String, _ other: String) -> Bool {
        let (first, second) = (URL(filePath: one), URL(filePath: other))
        return first.standardizedFileURL.path == second.standardizedFileURL.path || sameFile(first, second)
    }
}
