import CFFmpeg
import Foundation
import KinemaCore

extension ReadingLimits {
    /// Caps every FFmpeg allocation in this process at the largest allowed picture, so that oversized indexes fail.
    // Four channels of 16 bits, and rows padded to whole blocks.
    package func limitAllocations() { av_max_alloc(area * 9) }
}

/// A decoder: packets in, frames out in display order.
final class CodecHandle {
    // SAFETY: made in `init`, freed in `deinit`; used by one thread at a time.
    private var context: UnsafeMutablePointer<AVCodecContext>?
    // SAFETY: made in `init`; freed in `deinit` after the context. Each picture has its own reference.
    private var budget: UnsafeMutablePointer<AVBufferRef>?
    private let source: String
    private let limits: ReadingLimits
    /// The memory for pictures; nil for this process's own.
    private let memory: SharedPictureMemory?
    private let isPNG: Bool

    init(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational, threads: Int,
        limits: ReadingLimits, memory: SharedPictureMemory?, source: String
    ) throws(KinemaError) {
        (self.limits, self.memory, self.source) = (limits, memory, source)
        isPNG = kinema_is_png(parameters.pointee.codec_id) != 0
        guard parameters.pointee.codec_id != AV_CODEC_ID_NONE else {
            throw KinemaError.unreadable("the video format is unknown; the file is damaged", source)
        }
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let context = kinema_decoder(parameters.pointee.codec_id) else {
            throw KinemaError.unreadable("this FFmpeg has no decoder for \(name) video; convert the file", source)
        }
        self.context = context
        guard InputLimits.codecs.contains(String(cString: context.pointee.codec.pointee.name)) else {
            throw KinemaError.unreadable("\(name) video is not supported; convert the file to H.264", source)
        }
        avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = timeBase
        context.pointee.thread_count = Int32(threads)
        context.pointee.max_pixels = Int64(limits.codedArea)
        if isPNG { Self.stripMetadata(in: context) }
        budget = kinema_make_budget(Int64(limits.decoderMemory), memory?.source ?? kinema_picture_memory())
        guard budget != nil else { throw .outOfMemory }
        kinema_limit_memory(context, budget)
        guard avcodec_open2(context, nil, nil) == 0 else {
            throw KinemaError.unreadable("its \(name) video cannot be decoded; the file is damaged", source)
        }
    }

    /// Makes a decoder for JPEG pictures of at most `pixels` pixels; it fails at the first error and conceals none.
    init(jpegWithMaximumPixels pixels: Int, memory: SharedPictureMemory?) throws(KinemaError) {
        guard let context = kinema_decoder(AV_CODEC_ID_MJPEG) else {
            throw KinemaError(.missingComponent, "this FFmpeg has no JPEG decoder; run script/bootstrap")
        }
        self.context = context
        (limits, self.memory, source, isPNG) = (ReadingLimits.untrusted, memory, "", false)
        context.pointee.thread_count = 1
        context.pointee.max_pixels = Int64(pixels)
        context.pointee.err_recognition = AV_EF_EXPLODE
        budget = kinema_make_budget(Int64(limits.decoderMemory), memory?.source ?? kinema_picture_memory())
        guard budget != nil else { throw .outOfMemory }
        kinema_limit_memory(context, budget)
        guard avcodec_open2(context, nil, nil) == 0 else {
            throw KinemaError(.missingComponent, "this FFmpeg's JPEG decoder does not start; run script/bootstrap")
        }
    }

    deinit {
        avcodec_free_context(&context)
        av_buffer_unref(&budget)
    }

    /// Removes texts and colour profiles from an animated PNG's header.
    private static func stripMetadata(in context: UnsafeMutablePointer<AVCodecContext>) {
        guard let head = context.pointee.extradata, context.pointee.extradata_size > 0 else { return }
        let bytes = Array(UnsafeBufferPointer(start: head, count: Int(context.pointee.extradata_size)))
        guard let stripped = PNGChunks.strippingMetadata(from: bytes) else { return }
        // SAFETY: fewer bytes remain than before, followed by zero padding as before.
        head.update(repeating: 0, count: bytes.count)
        head.update(from: stripped, count: stripped.count)
        context.pointee.extradata_size = Int32(stripped.count)
    }

    enum ReceiveResult {
        case frame(FrameHandle)
        case needsPacket
        case end
        case failure
    }

    /// Sends a packet, or nil at the end of the file. Returns false if the decoder rejects the packet as damaged.
    func send(_ packet: PacketHandle?) -> Bool {
        if isPNG, let packet, let picture = PNGChunks.strippingMetadata(from: packet.bytes),
            !packet.replaceBytes(with: picture)
        {
            return false
        }
        let code = StageTimes.measure(.decode) { avcodec_send_packet(context, packet?.pointer) }
        return code == 0 || code == kinema_end_of_file()
    }

    /// Forgets all packets, before the input continues elsewhere.
    func flush() { avcodec_flush_buffers(context) }

    /// Returns the next decoded frame. Throws when its pictures exceed the memory limit.
    func receive() throws(KinemaError) -> ReceiveResult {
        let frame = try FrameHandle()
        let code = StageTimes.measure(.decode) { avcodec_receive_frame(context, frame.pointer) }
        guard kinema_is_exceeded(budget) == 0 else { throw memoryExceeded }
        if code == 0 { return .frame(frame) }
        if code == kinema_again() { return .needsPacket }
        return code == kinema_end_of_file() ? .end : .failure
    }

    private var memoryExceeded: KinemaError {
        KinemaError.unreadable(
            "decoding needs more than \(limits.decoderMemory >> 20) MiB; reduce the frame size first", source)
    }

    /// The picture size according to the decoder; zero before it has seen a header.
    var codedSize: (width: Int, height: Int) {
        guard let context else { return (0, 0) }
        return (Int(context.pointee.width), Int(context.pointee.height))
    }
}

extension FrameHandle {
    /// The best estimate of the presentation time, in the stream's time base; nil if unknown.
    var timestamp: Int64? {
        let timestamp = pointer.pointee.best_effort_timestamp
        return timestamp == kinema_no_timestamp() ? nil : timestamp
    }

    /// The display time of the frame, in the stream's time base; nil when unknown.
    var duration: Int64? {
        let duration = kinema_frame_duration(pointer)
        return duration > 0 ? duration : nil
    }

    var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }
}

/// Owns a packet of FFmpeg: the compressed bytes of a frame.
final class PacketHandle {
    // SAFETY: allocated in `init`, freed in `deinit`.
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(KinemaError) {
        guard let packet = av_packet_alloc() else { throw .outOfMemory }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    var bytes: [UInt8] {
        Array(UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
    }

    /// Replaces the bytes and keeps the timestamps. Returns false when out of memory.
    func replaceBytes(with bytes: [UInt8]) -> Bool {
        guard let other = try? PacketHandle(), av_new_packet(other.pointer, Int32(clamping: bytes.count)) == 0 else {
            return false
        }
        // SAFETY: the new packet has room for all the bytes, and padding after them.
        other.pointer.pointee.data.update(from: bytes, count: bytes.count)
        av_packet_copy_props(other.pointer, pointer)
        clear()
        av_packet_move_ref(pointer, other.pointer)
        return true
    }

    /// Whether the container ended, or was damaged, inside the packet.
    var isCut: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

    /// The presentation time, in the encoder's time base.
    var start: Int64 { pointer.pointee.pts }

    /// The duration, in the encoder's time base.
    var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }

    func clear() { av_packet_unref(pointer) }
}
