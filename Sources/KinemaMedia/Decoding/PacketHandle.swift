import CFFmpeg
import KinemaCore

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
