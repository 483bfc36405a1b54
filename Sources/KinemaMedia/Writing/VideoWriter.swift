public import Foundation
public import KinemaCore

/// Writes frames as an H.264 video in an MP4 file, each shown for an exact time.
///
/// Even if the process is killed, the file is playable up to the last second. `finish()` moves the index to the front.
public struct VideoWriter: ~Copyable {
    private let url: URL
    private let size: (width: Int, height: Int)
    private let timescale: Int
    private let color: FrameColor
    private let encoder: EncoderHandle
    private let output: OutputFileHandle
    private let muxer: MuxerHandle
    private let packet: PacketHandle
    /// The last converted picture; its memory is reused once the encoder has released it.
    private var spare: FrameHandle?
    /// The durations of the frames inside the encoder, by start.
    private var durations: [Int64: Int64] = [:]
    private var lastStart: Int?
    private var lastDuration = 1
    private var frameCount = 0

    /// Adds a frame shown during `range`, in ticks; each range starts after the previous one.
    ///
    /// Throws `invalidArgument` for another size or a start that does not increase, and `unwritableOutput`.
    public mutating func append(_ bitmap: Bitmap, at range: Range<Int>) throws {
        guard bitmap.width == size.width, bitmap.height == size.height else {
            throw KinemaError(
                .invalidArgument,
                "the frame is \(bitmap.width)x\(bitmap.height), the video \(size.width)x\(size.height)",
                file: url.path)
        }
        if let lastStart, range.lowerBound <= lastStart {
            throw KinemaError(.invalidArgument, "frames must be in time order", file: url.path)
        }
        let frame = try FrameHandle.forVideo(bitmap, color: color, spare: spare)
        spare = frame
        frame.setTimestamp(range.lowerBound)
        lastStart = range.lowerBound
        lastDuration = max(range.count, 1)
        durations[Int64(range.lowerBound)] = Int64(lastDuration)
        guard encoder.send(frame) else {
            throw KinemaError(.unwritableOutput, "the H.264 encoder failed; use a smaller size", file: url.path)
        }
        frameCount += 1
        try drain()
    }

    /// Writes the rest and moves the index to the front; a video without frames leaves no file.
    ///
    /// Throws `unwritableOutput`; earlier frames stay playable.
    public consuming func finish() throws {
        guard frameCount > 0 else {
            output.truncateToPlayable()
            throw KinemaError(.unwritableOutput, "there are no frames to write", file: url.path)
        }
        _ = encoder.send(nil)
        try drain()
        try muxer.finish()
        guard output.isRegular else { return }
        FastStartRemuxer.remux(url, timescale: timescale, frames: frameCount, lastDuration: lastDuration)
    }

    private mutating func drain() throws {
        while encoder.receive(into: packet) {
            packet.duration = durations.removeValue(forKey: packet.start) ?? 1
            try muxer.write(packet, timeBase: encoder.timeBase)
            packet.clear()
        }
    }
}

extension VideoWriter {
    /// Creates the file, replacing an existing one.
    ///
    /// `width` and `height` are those of the frames; odd sizes are rounded up by repeating the last column or row,
    /// because H.264 in 4:2:0 has even sizes. `timescale` is the number of ticks a second for `append`.
    /// `nominalFrameRate` only guides compression. `threads` is the number of encoding threads; 0 lets the encoder
    /// choose. Throws `unwritableOutput` when the file cannot be created, `missingComponent` without an encoder,
    /// `invalidArgument` for invalid sizes and timescales.
    public init(
        url: URL, width: Int, height: Int, timescale: Int, nominalFrameRate: Double = 30, threads: Int = 0
    ) throws {
        guard (1...ReadingLimits().side).contains(width), (1...ReadingLimits().side).contains(height),
            (1...Int(Int32.max)).contains(timescale), threads >= 0
        else {
            throw KinemaError(
                .invalidArgument, "a video of \(width)x\(height) at \(timescale) ticks a second cannot be written",
                file: url.path)
        }
        ContainerHandle.silence
        let color = FrameColor(standard: FrameColor.standard(ofHeight: height), fullRange: false)
        let rate = nominalFrameRate.isFinite && nominalFrameRate > 0 ? min(nominalFrameRate, 1000) : 30
        // The encoder comes first: if it is missing, an existing file is not changed.
        let encoder = try EncoderHandle(
            h264: .init(
                width: width + width % 2, height: height + height % 2, timescale: timescale, frameRate: rate,
                threads: threads, color: color), file: url.path)
        let packet = try PacketHandle()
        let output = try OutputFileHandle(path: url.path)
        let muxer = try encoder.withParameters { parameters throws(KinemaError) in
            try MuxerHandle(output, parameters: parameters, timescale: timescale, layout: .fragmented)
        }
        // Set at once: nothing is half made when something above throws.
        self.init(
            url: url, size: (width, height), timescale: timescale, color: color, encoder: encoder, output: output,
            muxer: muxer, packet: packet)
    }
}

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
