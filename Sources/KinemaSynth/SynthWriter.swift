package import Foundation
import KinemaCore
import KinemaMedia

/// Writes a scene as a video, and its truth as JSON.
package enum SynthWriter {
    /// Renders and writes every frame, then the truth; `progress` gets the frames done and their total and says whether to
    /// go on.
    ///
    /// Stopped early, the video ends there and no truth is written. Throws `.unwritableOutput` when a file cannot be
    /// written.
    package static func write(
        _ scene: SynthScene, to url: URL, truth truthURL: URL?, progress: (Int, Int) -> Bool = { _, _ in true }
    ) throws {
        let rate = scene.frameRate
        var writer = try VideoWriter(
            url: url, width: scene.size.width, height: scene.size.height, timescale: rate.timescale,
            nominalFrameRate: rate.perSecond)
        var isWhole = true
        for frame in 0..<scene.frameCount {
            let start = frame * rate.ticksPerFrame
            try writer.append(scene.bitmap(at: frame), at: start..<(start + rate.ticksPerFrame))
            guard progress(frame + 1, scene.frameCount) else {
                isWhole = false
                break
            }
        }
        try writer.finish()
        guard isWhole, let truthURL else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            try encoder.encode(scene.truth()).write(to: truthURL, options: .atomic)
        } catch {
            throw KinemaError(.unwritableOutput, "the truth cannot be written", file: truthURL.path)
        }
    }
}
