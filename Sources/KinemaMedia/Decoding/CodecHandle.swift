internal import CFFmpeg
internal import KinemaCore

/// A decoder: packets in, frames out in display order.
final class CodecHandle {
    // SAFETY: made in `init`, freed in `deinit`; used by one thread at a time.
    private var context: UnsafeMutablePointer<AVCodecContext>?

    init(_ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational, threads: Int, source: String)
        throws(KinemaError)
    {
        guard parameters.pointee.codec_id != AV_CODEC_ID_NONE else {
            throw KinemaError(
                .unreadableInput, "does not tell what kind of video it holds; it is damaged", file: source)
        }
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let context = kinema_decoder(parameters.pointee.codec_id) else {
            throw KinemaError(
                .unreadableInput, "this FFmpeg has no decoder for \(name) video; convert the file", file: source)
        }
        self.context = context
        avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = timeBase
        context.pointee.thread_count = Int32(threads)
        context.pointee.max_pixels = Int64(InputLimits.area)
        guard avcodec_open2(context, nil, nil) == 0 else {
            throw KinemaError(
                .unreadableInput, "its \(name) video cannot be decoded; the file is damaged", file: source)
        }
    }

    /// A decoder of JPEG pictures of at most so many pixels; it gives up at the first damage instead of guessing.
    init(jpegOfAtMost pixels: Int) throws(KinemaError) {
        guard let context = kinema_decoder(AV_CODEC_ID_MJPEG) else {
            throw KinemaError(.missingComponent, "this FFmpeg decodes no JPEG pictures; run script/bootstrap")
        }
        self.context = context
        context.pointee.thread_count = 1
        context.pointee.max_pixels = Int64(pixels)
        context.pointee.err_recognition = AV_EF_EXPLODE
        guard avcodec_open2(context, nil, nil) == 0 else {
            throw KinemaError(.missingComponent, "this FFmpeg's JPEG decoder does not start; run script/bootstrap")
        }
    }

    deinit {
        avcodec_free_context(&context)
    }

    /// What one call of `receive` brought.
    enum Receiving {
        case frame(FrameHandle)
        case needsPacket
        case end
        case failure
    }

    /// Gives the decoder a packet, or nil at the end of the file; false when it refuses the packet as damaged.
    func send(_ packet: PacketHandle?) -> Bool {
        let code = avcodec_send_packet(context, packet?.pointer)
        return code == 0 || code == kinema_end_of_file()
    }

    /// Takes the next frame out of the decoder.
    func receive() throws(KinemaError) -> Receiving {
        let frame = try FrameHandle()
        let code = avcodec_receive_frame(context, frame.pointer)
        if code == 0 { return .frame(frame) }
        if code == kinema_again() { return .needsPacket }
        return code == kinema_end_of_file() ? .end : .failure
    }

    /// The decoder's picture size; zero before it saw a header.
    var codedSize: (width: Int, height: Int) {
        guard let context else { return (0, 0) }
        return (Int(context.pointee.width), Int(context.pointee.height))
    }
}
