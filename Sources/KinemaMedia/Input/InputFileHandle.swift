import CFFmpeg
import KinemaCore

/// A byte source that FFmpeg reads through callbacks. FFmpeg sees no file name, so it can open no other file.
final class InputFileHandle {
    private let source: ByteSourceHandle
    // SAFETY: made in `init`; freed in `deinit`, after the container that reads through it.
    private(set) var io: UnsafeMutablePointer<AVIOContext>?

    /// Bytes FFmpeg asks for at a time.
    private static let bufferSize: Int32 = 1 << 16

    init(_ input: MediaInput, given: GivenFile?, cancellation: CancellationFlag) throws(KinemaError) {
        source = try ByteSourceHandle(input, given: given, cancellation: cancellation)
        // SAFETY: the callbacks get this object unretained; it outlives the context, which `deinit` frees.
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        io = kinema_make_io(
            Self.bufferSize, 0, opaque,
            { opaque, bytes, count in
                guard let opaque, let bytes else { return kinema_invalid_data() }
                return Unmanaged<InputFileHandle>.fromOpaque(opaque).takeUnretainedValue().read(into: bytes, count)
            },
            nil,
            source.canSeek
                ? { opaque, offset, whence in
                    guard let opaque else { return -1 }
                    return Unmanaged<InputFileHandle>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
                } : nil)
        guard io != nil else { throw .outOfMemory }
    }

    deinit { kinema_free_io(&io) }

    private func read(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        guard let received = source.read(into: bytes, Int(count)) else { return kinema_exit_requested() }
        if received == 0 { return kinema_end_of_file() }
        return received > 0 ? Int32(received) : kinema_errno(kinema_last_errno())
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        if whence & kinema_seek_size() != 0 { return source.size }
        return source.seek(offset, whence & ~kinema_seek_force())
    }
}
