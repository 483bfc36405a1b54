package import Foundation
internal import KinemaCore
internal import KinemaMedia

/// Writes scenes as videos, with what really happens in them beside.
package enum SynthWriter {
    /// Renders the scene into an H.264 MP4 file and, when asked for, its truth into a JSON file.
    ///
    /// `progress` is told how many of how many frames are done; what it throws ends the work, the frames so far
    /// stay playable. Throws `KinemaError.Code.unwritableOutput` when a file cannot be written.
    package static func write(
        _ scene: SynthScene, to url: URL, truth: URL? = nil,
        progress: (_ done: Int, _ of: Int) throws -> Void = { _, _ in }
    ) throws {
        // The truth is cheap; so a place it cannot be written to is found out before rendering.
        if let truth { try write(scene.truth(), to: truth) }
        let rate = scene.frameRate
        var writer = try VideoWriter(
            url: url, width: scene.size.width, height: scene.size.height, timescale: rate.timescale,
            nominalFrameRate: rate.perSecond)
        for frame in 0..<scene.frameCount {
            let start = frame * rate.ticksPerFrame
            try writer.append(scene.bitmap(at: frame), at: start..<start + rate.ticksPerFrame)
            try progress(frame + 1, scene.frameCount)
        }
        try writer.finish()
    }

    /// Writes the truth as JSON with sorted keys, the same bytes for the same scene.
    package static func write(_ truth: Truth, to url: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try WholeFile.write(encoder.encode(truth), to: url)
    }
}
