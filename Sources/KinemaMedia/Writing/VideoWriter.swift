public import Foundation
public import KinemaCore

/// Writes pictures as an H.264 video in an MP4 file, each shown exactly as long as the caller says.
///
/// The file is playable whenever the writing stops, even when the process is killed: up to about a second before. `finish()`
/// puts one index in front, which also makes it start at once when streamed.
public struct VideoWriter: ~Copyable {
    private let url: URL
    private let size: (width: Int, height: Int)
    private let timescale: Int
    private let color: FrameColor
    private let encoder: EncoderHandle
    private let output: OutputFileHandle
    private let muxer: MuxerHandle
    private let packet: PacketHandle
    /// The last converted picture: its memory is used again once the encoder has let go of it.
    private var spare: FrameHandle?
    /// How long the frames inside the encoder are shown, by their start.
    private var durations: [Int64: Int64] = [:]
    private var lastStart: Int?
    private var lastDuration = 1
    private var frameCount = 0

    /// Makes the file, replacing an existing one.
    ///
    /// `width` and `height` are those of the pictures; odd ones are rounded up by repeating the last column or row, because
    /// H.264 in 4:2:0 has even sizes. `timescale` is the number of ticks a second in which `append` is told the time.
    /// `nominalFrameRate` only guides the compression. `threads` is the number of encoding threads, 0 lets the encoder choose.
    /// Throws `KinemaError`: `unwritableOutput` when the file cannot be made, `missingComponent` without an H.264 encoder,
    /// `invalidArgument` for impossible sizes and time scales.
    public init(
        url: URL, width: Int, height: Int, timescale: Int, nominalFrameRate: Double = 30, threads: Int = 0
    ) throws {
        guard (1...ReadingLimits().side).contains(width), (1...ReadingLimits().side).contains(height),
            (1...Int(Int32.max)).contains(timescale), threads >= 0
        else {
            throw KinemaError(
                .invalidArgument, "a video of \(width)x\(height) at \(timescale) ticks a second is impossible",
                file: url.path)
        }
        ContainerHandle.silence
        let color = FrameColor(standard: FrameColor.standard(ofHeight: height), fullRange: false)
        let rate = nominalFrameRate.isFinite && nominalFrameRate > 0 ? min(nominalFrameRate, 1000) : 30
        // The encoder first: if it is missing, an existing file stays as it is.
        let encoder = try EncoderHandle(
            h264: .init(
                width: width + width % 2, height: height + height % 2, timescale: timescale, frameRate: rate,
                threads: threads, color: color), file: url.path)
        let packet = try PacketHandle()
        let output = try OutputFileHandle(path: url.path)
        let muxer = try Self.makeMuxer(output, encoder, timescale: timescale)
        self.url = url
        size = (width, height)
        self.timescale = timescale
        (self.color, self.encoder, self.packet, self.output, self.muxer) = (color, encoder, packet, output, muxer)
    }

    private static func makeMuxer(_ output: OutputFileHandle, _ encoder: EncoderHandle, timescale: Int) throws
        -> MuxerHandle
    {
        do {
            return try encoder.withParameters { parameters throws(KinemaError) in
                try MuxerHandle(output, parameters: parameters, timescale: timescale, layout: .fragmented)
            }
        } catch {
            output.fallBack()
            throw error
        }
    }

    /// Adds a picture that is shown during `range`, in ticks; each range starts after the one before.
    ///
    /// Throws `KinemaError`: `invalidArgument` for a picture of another size or a start that does not increase,
    /// `unwritableOutput` when writing fails; what was written before stays playable.
    public mutating func append(_ bitmap: Bitmap, at range: Range<Int>) throws {
        guard bitmap.width == size.width, bitmap.height == size.height else {
            throw KinemaError(
                .invalidArgument,
                "the picture is \(bitmap.width)x\(bitmap.height), the video \(size.width)x\(size.height)",
                file: url.path)
        }
        if let lastStart, range.lowerBound <= lastStart {
            throw KinemaError(.invalidArgument, "frames have to come in the order of their time", file: url.path)
        }
        let frame = try FrameHandle.forVideo(bitmap, color: color, spare: spare)
        spare = frame
        frame.setStamp(range.lowerBound)
        lastStart = range.lowerBound
        lastDuration = max(range.count, 1)
        durations[Int64(range.lowerBound)] = Int64(lastDuration)
        guard encoder.send(frame) else {
            throw KinemaError(.unwritableOutput, "the H.264 encoder failed; use a smaller size", file: url.path)
        }
        frameCount += 1
        try drain()
    }

    /// Writes what is left and puts the index in front; the file is complete afterwards.
    ///
    /// Throws `KinemaError` with code `unwritableOutput`; what was written before stays playable. A video without any frame
    /// leaves no file.
    public consuming func finish() throws {
        guard frameCount > 0 else {
            output.fallBack()
            throw KinemaError(.unwritableOutput, "there was no frame to write", file: url.path)
        }
        _ = encoder.send(nil)
        try drain()
        do {
            try muxer.finish()
        } catch {
            output.fallBack()
            throw error
        }
        guard output.isRegular else { return }
        VideoFinisher.putIndexInFront(of: url, timescale: timescale, frames: frameCount, lastDuration: lastDuration)
    }

    /// Moves packets from the encoder into the file.
    private mutating func drain() throws {
        while encoder.receive(into: packet) {
            packet.duration = durations.removeValue(forKey: packet.start) ?? 1
            do {
                try muxer.write(packet, timeBase: encoder.timeBase)
            } catch {
                output.fallBack()
                throw error
            }
            packet.clear()
        }
    }
}
