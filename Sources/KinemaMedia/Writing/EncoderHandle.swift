import CFFmpeg
import KinemaCore

/// Compresses pictures: H.264 for videos, or a still picture format.
final class EncoderHandle {
    // SAFETY: made in `init`, freed in `deinit`; used by one thread at a time.
    private var context: UnsafeMutablePointer<AVCodecContext>?
    let timeBase: AVRational

    struct Settings {
        var width: Int
        var height: Int
        var timescale: Int
        var frameRate: Double
        var threads: Int
        var color: FrameColor
    }

    /// Makes an H.264 encoder: x264 if FFmpeg has it, else any other.
    init(h264 settings: Settings, file: String) throws(KinemaError) {
        guard let context = kinema_encoder(AV_CODEC_ID_H264, "libx264") ?? kinema_encoder(AV_CODEC_ID_H264, nil) else {
            throw KinemaError(.missingComponent, "this FFmpeg has no H.264 encoder; run script/bootstrap", file: file)
        }
        self.context = context
        timeBase = AVRational(num: 1, den: Int32(settings.timescale))
        Self.configure(context, settings)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if String(cString: context.pointee.codec.pointee.name) == "libx264" {
            // Twice as fast as "medium" for about a tenth more bytes; at quality 20 the video looks like its source.
            av_dict_set(&options, "preset", "veryfast", 0)
            av_dict_set(&options, "crf", "20", 0)
            // Threads share one picture, and a look-ahead of four pictures does as well as ten: 80 MB less at 1080p.
            av_dict_set(&options, "x264-params", "sliced-threads=1:rc-lookahead=4:sync-lookahead=0", 0)
        } else {
            // A tenth of a bit a pixel and frame is ample for other encoders.
            context.pointee.bit_rate = Int64(Double(settings.width * settings.height) * settings.frameRate * 0.1)
        }
        guard avcodec_open2(context, nil, &options) == 0 else {
            throw KinemaError(
                .unwritableOutput,
                "the H.264 encoder rejects frames of \(settings.width)x\(settings.height); use a smaller size",
                file: file)
        }
    }

    enum PictureKind {
        case png
        case pngWithAlpha
        /// The best quality that is still small (scale 2 of 1...31); full chroma keeps thin coloured lines sharp.
        case jpeg
        /// For quick viewing: half the chroma and scale 5, a quarter of the bytes.
        case preview

        var format: AVPixelFormat {
            switch self {
            case .png: AV_PIX_FMT_RGB24
            case .pngWithAlpha: AV_PIX_FMT_RGBA
            case .jpeg: AV_PIX_FMT_YUVJ444P
            case .preview: AV_PIX_FMT_YUVJ420P
            }
        }

        var isJPEG: Bool { self == .jpeg || self == .preview }
        /// The quantiser scale, 1...31; lower is finer.
        var scale: Int32 { self == .preview ? 5 : 2 }
    }

    init(picture kind: PictureKind, width: Int, height: Int, file: String) throws(KinemaError) {
        guard let context = kinema_encoder(kind.isJPEG ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_PNG, nil) else {
            throw KinemaError(
                .missingComponent, "this FFmpeg cannot write this image format; run script/bootstrap", file: file)
        }
        self.context = context
        timeBase = AVRational(num: 1, den: 1)
        context.pointee.width = Int32(width)
        context.pointee.height = Int32(height)
        context.pointee.pix_fmt = kind.format
        context.pointee.time_base = timeBase
        context.pointee.color_range = AVCOL_RANGE_JPEG
        context.pointee.flags |= kinema_flag_qscale()
        context.pointee.global_quality = kind.scale * kinema_qscale_step()
        guard avcodec_open2(context, nil, nil) == 0 else {
            throw KinemaError(
                .unwritableOutput, "an image of \(width)x\(height) cannot be written in this format", file: file)
        }
    }

    deinit { avcodec_free_context(&context) }

    private static func configure(_ context: UnsafeMutablePointer<AVCodecContext>, _ settings: Settings) {
        context.pointee.width = Int32(settings.width)
        context.pointee.height = Int32(settings.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.time_base = AVRational(num: 1, den: Int32(settings.timescale))
        context.pointee.framerate = AVRational(num: Int32((settings.frameRate * 1000).rounded()), den: 1000)
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        // Frames are stored in display order, so neither a player nor a truncated file needs reordering.
        context.pointee.max_b_frames = 0
        context.pointee.gop_size = Int32(max(1, min(settings.frameRate * 2, 250).rounded()))
        context.pointee.thread_count = Int32(settings.threads)
        let isHigh = settings.color.standard == .bt709
        context.pointee.colorspace = isHigh ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
        context.pointee.color_primaries = isHigh ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M
        context.pointee.color_trc = isHigh ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M
        context.pointee.color_range = AVCOL_RANGE_MPEG
        context.pointee.flags |= kinema_flag_global_header()
    }

    /// Lends the stream's codec parameters, from which the container is made.
    func withParameters<R>(_ body: (UnsafeMutablePointer<AVCodecParameters>) throws(KinemaError) -> R)
        throws(KinemaError) -> R
    {
        var parameters = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&parameters) }
        guard let borrowed = parameters else { throw .outOfMemory }
        avcodec_parameters_from_context(borrowed, context)
        return try body(borrowed)
    }

    /// Sends a frame to the encoder, or nil at the end; false if it is rejected.
    func send(_ frame: FrameHandle?) -> Bool { avcodec_send_frame(context, frame?.pointer) == 0 }

    /// Receives the next compressed packet; false when the encoder needs more frames or has ended.
    func receive(into packet: PacketHandle) -> Bool { avcodec_receive_packet(context, packet.pointer) == 0 }
}
