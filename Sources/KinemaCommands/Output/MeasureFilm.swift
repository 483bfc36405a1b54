import Foundation
import Kinema

/// Draws what was measured on the frames of a recording, which is read a second time.
struct MeasureFilm {
    let analysis: MeasureAnalysis
    let input: InputChoice
    let hiding: Hiding?

    /// Refuses inputs that cannot be read twice.
    static func check(_ input: InputChoice) throws {
        guard case .file(let url) = try input.media(),
            try url.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        else {
            throw input.refusal(of: "--overlay", "files here: angles are drawn after measuring, in a second reading")
        }
    }

    /// Writes a film, or the picture of a moment in seconds; nil for every frame.
    func write(to path: String, moment: Double?, _ interruption: Interruption) async throws {
        let opened = try await interruption.cancelling { [input] in try await OpenedInput(input) }
        defer { opened.stop() }
        let writer = try OverlayWriter(path: path, timescale: opened.timescale, hiding: hiding)
        var count = 0
        do {
            try await interruption.stopping(opened.stop) {
                for try await element in try opened.posed(.framesOnly) {
                    let time = element.feature.frame.time
                    // Times are rounded.
                    guard moment.map({ time >= $0 - 1e-4 }) ?? true else { continue }
                    await writer.add(element.feature.frame, analysis.layers(at: time))
                    count += 1
                    Console.shared.progress(count, of: opened.frameEstimate, note: "drawn")
                    if interruption.isRaised || moment != nil { break }
                }
            }
        } catch is CancellationError where interruption.isRaised {
        } catch {
            _ = await writer.finish()
            throw error
        }
        Console.shared.endProgress()
        if let failure = await writer.finish() { throw failure }
        if count == 0, !interruption.isRaised { throw input.refusal(of: "--at", "moments before the end") }
    }
}
