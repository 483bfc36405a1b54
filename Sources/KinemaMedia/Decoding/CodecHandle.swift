internal import CFFmpeg
internal import KinemaCore

extension ReadingLimits {
    /// From now on, FFmpeg gets no piece of memory in this process that is larger than these limits' largest picture needs:
    /// what a file claims to unpack to, as the index of a film may, fails then.
    package func limitAllocations() {
        av_max_alloc(largestAllocation)
    }
}

/// A decoder: packets in, frames out in display order.
final class CodecHandle {
    // SAFETY: made in `init`, freed in `deinit`; used by one thread at a time.
    private var context: UnsafeMutablePointer<AVCodecContext>?
    // SAFETY: made in `init`; this reference is freed in `deinit` after the context, each picture holds one of its own.
    private var budget: UnsafeMutablePointer<AVBufferRef>?
    private let source: String
    private let limits: ReadingLimits
    private let isPNG: Bool

    init(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational, threads: Int,
        limits: ReadingLimits, source: String
    ) throws(KinemaError) {
        (self.limits, self.source) = (limits, source)
        isPNG = kinema_is_png(parameters.pointee.codec_id) != 0
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
        context.pointee.max_pixels = Int64(limits.area)
        if isPNG { Self.keepPicture(in: context) }
        budget = kinema_make_budget(Int64(limits.decoderMemory))
        guard budget != nil else { throw .outOfMemory }
        kinema_limit_memory(context, budget)
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
        (limits, source, isPNG) = (ReadingLimits(), "", false)
        context.pointee.thread_count = 1
        context.pointee.max_pixels = Int64(pixels)
        context.pointee.err_recognition = AV_EF_EXPLODE
        guard avcodec_open2(context, nil, nil) == 0 else {
            throw KinemaError(.missingComponent, "this FFmpeg's JPEG decoder does not start; run script/bootstrap")
        }
    }

    deinit {
        avcodec_free_context(&context)
        av_buffer_unref(&budget)
    }

    /// Takes texts and profiles out of an animated PNG's head, which is kept apart from its packets.
    private static func keepPicture(in context: UnsafeMutablePointer<AVCodecContext>) {
        guard let head = context.pointee.extradata, context.pointee.extradata_size > 0 else { return }
        let bytes = Array(UnsafeBufferPointer(start: head, count: Int(context.pointee.extradata_size)))
        guard let rest = PNGChunks.picture(in: bytes) else { return }
        // SAFETY: what is left is shorter than what was there, and zeros stand behind it as before.
        head.update(repeating: 0, count: bytes.count)
        head.update(from: rest, count: rest.count)
        context.pointee.extradata_size = Int32(rest.count)
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
        if isPNG, let packet, let picture = PNGChunks.picture(in: packet.bytes), !packet.replace(by: picture) {
            return false
        }
        let code = avcodec_send_packet(context, packet?.pointer)
        return code == 0 || code == kinema_end_of_file()
    }

    /// Takes the next frame out of the decoder; throws when its pictures need more memory than they may.
    func receive() throws(KinemaError) -> Receiving {
        let frame = try FrameHandle()
        let code = avcodec_receive_frame(context, frame.pointer)
        guard kinema_is_exceeded(budget) == 0 else {
            throw KinemaError(
                .unreadableInput,
                "decoding its pictures takes more than \(limits.decoderMemory >> 20) MiB; make them smaller first",
                file: source)
        }
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
