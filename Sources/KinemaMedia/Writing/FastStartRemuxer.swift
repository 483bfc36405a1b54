import Foundation
import KinemaCore

/// Remuxes a fragmented MP4 into one with its index before all pictures ("fast start").
enum FastStartRemuxer {
    /// Rewrites the file without compressing again, atomically; `lastDuration` is that of the last frame, which
    /// fragments omit. Without room for a copy, the playable file does not change.
    static func remux(_ url: URL, timescale: Int, frames: Int, lastDuration: Int) {
        // Follow a link, so that the link itself stays.
        let path = url.resolvingSymlinksInPath()
        let copy = path.deletingLastPathComponent().appendingPathComponent(".\(path.lastPathComponent).finishing")
        do {
            try rewrite(path, to: copy, timescale: timescale, frames: frames, lastDuration: lastDuration)
            // Keep the file's permissions.
            var status = stat()
            if stat(path.path, &status) == 0 { chmod(copy.path, status.st_mode & 0o7777) }
            // SAFETY: both paths are in one folder; `rename` replaces the target atomically.
            if rename(copy.path, path.path) != 0 { unlink(copy.path) }
        } catch {
            unlink(copy.path)
        }
    }

    private static func rewrite(_ source: URL, to target: URL, timescale: Int, frames: Int, lastDuration: Int)
        throws(KinemaError)
    {
        let container = try ContainerHandle(.file(source), cancellation: CancellationFlag())
        let output = try OutputFileHandle(path: target.path)
        let muxer = try MuxerHandle(
            output, parameters: container.parameters, timescale: timescale, layout: .indexed(maximumFrames: frames))
        let packet = try PacketHandle()
        var copied = 0
        while case .packet = container.readPacket(into: packet) {
            copied += 1
            if copied == frames { packet.duration = Int64(lastDuration) }
            try muxer.write(packet, timeBase: container.timeBase)
            packet.clear()
        }
        try muxer.finish()
        guard copied == frames else {
            throw KinemaError(.unwritableOutput, "\(copied) of \(frames) frames were copied", file: target.path)
        }
    }
}
