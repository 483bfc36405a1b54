internal import CFFmpeg
internal import Foundation
internal import KinemaCore

/// Turns the self-contained pieces of an interrupted-at-any-time file into one index in front of all pictures.
enum VideoFinisher {
    /// Rewrites the file without compressing again, and puts the result in its place at once.
    ///
    /// `lastDuration` is how long the last frame is shown: the pieces do not tell that reliably.
    ///
    /// When there is no room for a second copy, the file stays as it is: complete and playable.
    static func putIndexInFront(of url: URL, timescale: Int, frames: Int, lastDuration: Int) {
        // Behind a link, so that the link stays one.
        let path = url.resolvingSymlinksInPath()
        let copy = path.deletingLastPathComponent().appendingPathComponent(".\(path.lastPathComponent).finishing")
        do {
            try rewrite(path, to: copy, timescale: timescale, frames: frames, lastDuration: lastDuration)
            // Who may read the file stays as it was.
            var status = stat()
            if stat(path.path, &status) == 0 { chmod(copy.path, status.st_mode & 0o7777) }
            // SAFETY: both are paths in one folder; `rename` replaces the target at once.
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
