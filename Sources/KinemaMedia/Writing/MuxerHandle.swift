import CFFmpeg
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
