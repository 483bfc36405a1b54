import ArgumentParser
import Foundation
import KinemaSynth

/// Renders random scenes one after the other for the commands that compare results with exact truth.
struct RenderedScenes: ParsableArguments {
    @Option(help: "The seed of the first clip; it increases by 1 for each clip.")
    var seed: UInt64 = 0

    func validate() throws {
        guard seed <= UInt64(Int.max) - 10_000 else {
            throw ValidationError("--seed must be at most \(Int.max - 10_000)")
        }
    }

    /// Renders the scenes of as many seeds and scores each video, until a signal; `keep` reuses videos.
    func each(
        _ count: Int, note: String, keep: String? = nil, _ interruption: Interruption,
        scene: (Int) -> SynthScene, score: (Int, SynthScene, URL) async throws -> Void
    ) async throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
        let folder = try OutputFolder.make(keep ?? scratch.path)
        defer { try? FileManager.default.removeItem(at: scratch) }
        for index in 0..<count where !interruption.isRaised {
            Console.shared.progress(index, of: count, note: note)
            let scene = scene(index)
            let name = keep == nil ? "clip" : String(format: "throws-%04d", Int(seed) + index)
            let url = folder.appending(path: name + ".mp4")
            do {
                if keep == nil || !FileManager.default.fileExists(atPath: url.path) {
                    let truth = keep.map { _ in folder.appending(path: name + ".json") }
                    try SynthWriter.write(scene, to: url, truth: truth) { _, _ in
                        if interruption.isRaised { throw CancellationError() }
                    }
                }
                try await score(index, scene, url)
            } catch is CancellationError where interruption.isRaised {
                break
            }
        }
        Console.shared.endProgress()
    }
}
