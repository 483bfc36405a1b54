internal import CFFmpeg
internal import Foundation
internal import KinemaCore

/// An open file or pipe whose bytes FFmpeg reads through callbacks.
///
/// FFmpeg never sees a name: it can open no other file, and a picture's name is no pattern to it.
final class InputFileHandle {
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let cancellation: CancellationFlag
    /// Files can be read from any position, pipes cannot.
    let canSeek: Bool
    // SAFETY: made in `init`; freed in `deinit`, after the container that reads through it.
    private(set) var io: UnsafeMutablePointer<AVIOContext>?

    /// Bytes FFmpeg asks for at a time.
    private static let bufferSize: Int32 = 1 << 16
    /// How long a read from a silent pipe lasts before the cancellation flag is looked at, in milliseconds.
    private static let pollInterval: Int32 = 50

    init(_ input: MediaInput, cancellation: CancellationFlag) throws(KinemaError) {
        switch input {
        case .standardInput:
            (descriptor, closesDescriptor) = (0, false)
        case .file(let url):
            // Not blocking, so that a pipe without a writer cannot hang the opening; no effect on files.
            descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            closesDescriptor = true
            guard descriptor >= 0 else { throw Self.failure(errno, input.source) }
        }
        self.cancellation = cancellation
        var status = stat()
        let known = fstat(descriptor, &status) == 0
        canSeek = known && status.st_mode & S_IFMT == S_IFREG
        let reason: String? =
            if !known {
                "It cannot be read; check the path."
            } else if status.st_mode & S_IFMT == S_IFDIR {
                "This is a folder; give a video or picture file."
            } else if canSeek && status.st_size == 0 {
                "The file is empty; give a video or picture file."
            } else {
                nil
            }
        // Everything is initialised by now, so `deinit` closes the file.
        if let reason { throw KinemaError(.unreadableInput, reason, file: input.source) }
        try makeContext()
    }

    deinit {
        kinema_free_io(&io)
        if closesDescriptor { close(descriptor) }
    }

    private func makeContext() throws(KinemaError) {
        // SAFETY: the callbacks get this object unretained; it outlives the context it frees in `deinit`.
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        io = kinema_make_io(
            Self.bufferSize, 0, opaque,
            { opaque, bytes, count in
                guard let opaque, let bytes else { return kinema_invalid_data() }
                return Unmanaged<InputFileHandle>.fromOpaque(opaque).takeUnretainedValue().read(into: bytes, count)
            },
            nil,
            canSeek
                ? { opaque, offset, whence in
                    guard let opaque else { return -1 }
                    return Unmanaged<InputFileHandle>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
                } : nil)
        guard io != nil else { throw .outOfMemory }
    }

    private func read(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        while !cancellation.isRaised {
            if !canSeek {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, Self.pollInterval) != 0 else { continue }
            }
            let received = Foundation.read(descriptor, bytes, Int(count))
            if received > 0 { return Int32(received) }
            if received == 0 { return kinema_end_of_file() }
            guard errno == EINTR || errno == EAGAIN else { return kinema_errno(errno) }
        }
        return kinema_exit_requested()
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        guard !cancellation.isRaised else { return Int64(kinema_exit_requested()) }
        if whence & kinema_seek_size() != 0 {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : -1
        }
        return Int64(lseek(descriptor, off_t(offset), whence & ~kinema_seek_force()))
    }

    private static func failure(_ code: Int32, _ source: String) -> KinemaError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "There is no such file; check the path."
            case EACCES, EPERM: "The file may not be read; check its permissions."
            default: "The file cannot be opened: \(String(cString: strerror(code)))."
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}
