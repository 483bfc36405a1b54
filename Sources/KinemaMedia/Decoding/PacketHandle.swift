internal import CFFmpeg
internal import KinemaCore

/// Owns one of FFmpeg's packets: compressed bytes of a frame.
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

    /// A copy of the bytes.
    var bytes: [UInt8] {
        Array(UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
    }

    /// Puts other bytes in the place of those that are there, keeping its time; false when there is no memory.
    func replace(by bytes: [UInt8]) -> Bool {
        guard let other = try? PacketHandle(), av_new_packet(other.pointer, Int32(clamping: bytes.count)) == 0 else {
            return false
        }
        // SAFETY: the other packet was just made with room for all the bytes, and padding behind them.
        other.pointer.pointee.data.update(from: bytes, count: bytes.count)
        av_packet_copy_props(other.pointer, pointer)
        clear()
        av_packet_move_ref(pointer, other.pointer)
        return true
    }

    /// When the packet's frame is shown, in the encoder's time base.
    var start: Int64 { pointer.pointee.pts }

    /// How long the packet's frame is shown, in the encoder's time base.
    var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }

    /// Lets go of the bytes.
    func clear() {
        av_packet_unref(pointer)
    }
}

extension FrameHandle {
    /// The best guess at the presentation time, in the stream's time base; nil when there is none.
    var stamp: Int64? {
        let stamp = pointer.pointee.best_effort_timestamp
        return stamp == kinema_no_timestamp() ? nil : stamp
    }

    /// How long the frame is shown, in the stream's time base; nil when unknown.
    var duration: Int64? {
        let duration = kinema_frame_duration(pointer)
        return duration > 0 ? duration : nil
    }

    /// Whether the decoder had to make up parts of the picture.
    var isDamaged: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }
}
