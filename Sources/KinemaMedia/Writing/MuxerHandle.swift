import CFFmpeg
package import Foundation
import KinemaCore

/// Writes one stream of H.264 packets into an MP4 file.
final class MuxerHandle {
    enum Layout {
        /// Self-contained fragments of one second: playable wherever writing stops.
        case fragmented
        /// One index before all pictures, for at most this many: the best layout for players and editors.
        case indexed(maximumFrames: Int)
    }

    private let output: OutputFileHandle
    private let timescale: Int
    // SAFETY: made in `init`, freed in `deinit` before `output`.
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let stream: UnsafeMutablePointer<AVStream>
    /// Bytes before the first picture; a file of only these is worthless.
    private var headerSize: Int64 = 0

    init(
        _ output: OutputFileHandle, parameters: UnsafeMutablePointer<AVCodecParameters>, timescale: Int, layout: Layout
    ) throws(KinemaError) {
        (self.output, self.timescale) = (output, timescale)
        var context: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&context, nil, "mp4", nil) >= 0, let context,
            let stream = avformat_new_stream(context, nil)
        else {
            output.truncateToPlayable()
            throw KinemaError(
                .missingComponent, "this FFmpeg cannot write MP4; run script/bootstrap", file: output.path)
        }
        (self.context, self.stream) = (context, stream)
        avcodec_parameters_copy(stream.pointee.codecpar, parameters)
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = AVRational(num: 1, den: Int32(timescale))
        context.pointee.pb = output.io
        context.pointee.flags |= kinema_flag_custom_io()
        try writeHeader(layout)
    }

    deinit { avformat_free_context(context) }

    private func writeHeader(_ layout: Layout) throws(KinemaError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "video_track_timescale", String(timescale), 0)
        switch layout {
        case .fragmented:
            av_dict_set(&options, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0)
            // In microseconds: the most a kill can lose, besides the encoder's look-ahead.
            av_dict_set(&options, "frag_duration", "1000000", 0)
        case .indexed(let frames):
            // At most 32 bytes of index a frame (time, offset, size, chunk, key frame), plus the headers.
            av_dict_set(&options, "moov_size", String(4096 + frames * 32), 0)
        }
        guard avformat_write_header(context, &options) >= 0 else { throw output.fail() }
        try output.flush()
        headerSize = output.size
    }

    /// Adds a packet whose times are in units of `timeBase`.
    func write(_ packet: PacketHandle, timeBase: AVRational) throws(KinemaError) {
        av_packet_rescale_ts(packet.pointer, timeBase, stream.pointee.time_base)
        packet.pointer.pointee.stream_index = 0
        let code = av_write_frame(context, packet.pointer)
        try output.flush()
        guard code >= 0 else { throw output.fail() }
        if output.size > headerSize { output.markPlayable() }
    }

    /// Writes the rest: the last fragment, or the index.
    func finish() throws(KinemaError) {
        let code = av_write_trailer(context)
        try output.flush()
        guard code >= 0 else { throw output.fail() }
    }
}

/// An open output file that FFmpeg writes through callbacks; it remembers why a write failed.
final class OutputFileHandle {
    let path: String
    private let descriptor: Int32
    /// Whether this is a regular file; devices and pipes cannot be rewound or removed.
    let isRegular: Bool
    // SAFETY: made in `init`; freed in `deinit`, after the muxer that writes through it.
    private(set) var io: UnsafeMutablePointer<AVIOContext>?
    private(set) var size: Int64 = 0
    private var playableSize: Int64 = 0
    /// The error number of the last failed write.
    private var failureCode: Int32 = 0

    private static let bufferSize: Int32 = 1 << 16

    /// Creates the file or empties an existing one. Throws `unwritableOutput`.
    init(path: String) throws(KinemaError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .unwritable(path, errno: errno) }
        var status = stat()
        isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        try makeContext()
    }

    deinit {
        kinema_free_io(&io)
        close(descriptor)
    }

    private func makeContext() throws(KinemaError) {
        // SAFETY: the callbacks get this object unretained; it outlives the context, which `deinit` frees.
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        io = kinema_make_io(
            Self.bufferSize, 1, opaque, nil,
            { opaque, bytes, count in
                guard let opaque, let bytes else { return kinema_invalid_data() }
                return Unmanaged<OutputFileHandle>.fromOpaque(opaque).takeUnretainedValue().write(bytes, Int(count))
            },
            isRegular
                ? { opaque, offset, whence in
                    guard let opaque else { return -1 }
                    return Unmanaged<OutputFileHandle>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
                } : nil)
        guard io != nil else { throw .outOfMemory }
    }

    private func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int32 {
        var done = 0
        while done < count {
            let written = Foundation.write(descriptor, bytes + done, count - done)
            if written > 0 {
                done += written
            } else if errno != EINTR {
                failureCode = errno
                return kinema_errno(failureCode)
            }
        }
        size = max(size, isRegular ? Int64(lseek(descriptor, 0, SEEK_CUR)) : size + Int64(count))
        return Int32(count)
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        if whence & kinema_seek_size() != 0 { return size }
        return Int64(lseek(descriptor, off_t(offset), whence & ~kinema_seek_force()))
    }

    func flush() throws(KinemaError) {
        avio_flush(io)
        guard failureCode == 0 else { throw fail() }
    }

    func markPlayable() { playableSize = size }

    /// After a failure: truncates the file to its playable part, or removes it if there is none.
    func truncateToPlayable() {
        guard isRegular else { return }
        if playableSize == 0 {
            unlink(path)
        } else {
            _ = ftruncate(descriptor, off_t(playableSize))
        }
    }

    /// The error of the last write; the file keeps its playable part.
    func fail() -> KinemaError {
        truncateToPlayable()
        return .unwritable(path, errno: failureCode)
    }
}

/// Whether two paths lead to the same existing file, also through links.
package func sameFile(_ one: URL, _ other: URL) -> Bool {
    var first = stat()
    var second = stat()
    // SAFETY: `stat` fills the structures; both live on this stack.
    guard stat(one.path, &first) == 0, stat(other.path, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
