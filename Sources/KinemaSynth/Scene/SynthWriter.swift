package import Foundation
internal import KinemaCore
internal import KinemaMedia

package enum SynthWriter {
    /// Renders the scene to an H.264 MP4 file and optionally writes its truth to a JSON file.
    ///
    /// `progress` gets the finished and the total frames; if it throws, the frames so far stay playable, without the
    /// truth. Throws `KinemaError.Code.unwritableOutput`.
    package static func write(
        _ scene: SynthScene, to url: URL, truth: URL? = nil,
        progress: (_ done: Int, _ of: Int) throws -> Void = { _, _ in }
    ) throws {
        // Write the cheap truth first, which finds an unwritable path before rendering.
        if let truth { try write(scene.truth(), to: truth) }
        do {
            try writeVideo(scene, to: url, progress)
        } catch {
            if let truth { AtomicFile.remove([truth]) }
            throw error
        }
    }

    private static func writeVideo(
        _ scene: SynthScene, to url: URL, _ progress: (_ done: Int, _ of: Int) throws -> Void
    ) throws {
        let rate = scene.frameRate
        // With several threads x264 divides pictures by their number, and two runs may differ by a level in some pixels.
        var writer = try VideoWriter(
            url: url, width: scene.size.width, height: scene.size.height, timescale: rate.timescale,
            nominalFrameRate: rate.perSecond, threads: 1)
        for frame in 0..<scene.frameCount {
            let start = frame * rate.ticksPerFrame
            try writer.append(scene.bitmap(at: frame), at: start..<start + rate.ticksPerFrame)
            try progress(frame + 1, scene.frameCount)
        }
        try writer.finish()
    }

    /// Writes the truth as JSON with sorted keys; the same scene gives the same bytes.
    package static func write(_ truth: Truth, to url: URL) throws {
        try AtomicFile.write(JSONEncoder.ordered.encode(truth), to: url)
    }
}
