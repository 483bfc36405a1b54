import CFFmpeg
import Foundation
import KinemaCore

/// An open file or pipe: sequential bytes, with random access for files.
///
/// FFmpeg reads it through callbacks. It sees no file name, so it can open no other file.
final class ByteSourceHandle {
    // SAFETY: made in `init`; freed in `deinit`, after the container that reads through it.
    private(set) var io: UnsafeMutablePointer<AVIOContext>?
    private let descriptor: Int32
    private let closesDescriptor: Bool
    /// An empty file for a pipe that needs random access, where this process may make none.
    private let scratch: Int32?
    private let cancellation: CancellationFlag
    private var canSeek: Bool
    /// A temporary copy of a pipe that needs random access.
    private var temporaryCopy: FileHandle?
    /// The first bytes of a pipe, read ahead but not yet delivered.
    private var pending: [UInt8] = []

    /// The interval of cancellation checks at a silent pipe, in milliseconds.
    private static let pollInterval: Int32 = 50
    /// Bytes FFmpeg asks for at a time.
    private static let bufferSize: Int32 = 1 << 16

    /// Opens a file or standard input, or uses the `given` descriptors.
    init(_ input: MediaInput, given: GivenFile? = nil, cancellation: CancellationFlag) throws(KinemaError) {
        if let given {
            (descriptor, scratch, closesDescriptor) = (given.descriptor, given.scratch, false)
        } else {
            (descriptor, scratch, closesDescriptor) = (try Self.open(input), nil, input != .standardInput)
        }
        self.cancellation = cancellation
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let kind = status.st_mode & S_IFMT
        canSeek = isKnown && kind == S_IFREG
        // Everything is initialised here, so `deinit` closes the file if this throws.
        guard isKnown else { throw Self.failure(errno, input.source) }
        if kind == S_IFDIR {
            throw KinemaError.unreadable("is a folder; give a video or image file", input.source)
        }
        if canSeek && status.st_size == 0 {
            throw KinemaError.unreadable("is empty; give a video or image file", input.source)
        }
        // A given file may have been read before.
        if given != nil, canSeek, input != .standardInput { lseek(descriptor, 0, SEEK_SET) }
        if canSeek {
            let head = Self.bytes(of: descriptor, at: lseek(descriptor, 0, SEEK_CUR), Self.headSize)
            try Self.refuseOther(head, input.source)
        } else {
            try peek(input.source)
            try Self.refuseOther(pending, input.source)
        }
        // SAFETY: the callbacks get this object unretained; it outlives the context, which `deinit` frees.
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        io = kinema_make_io(
            Self.bufferSize, 0, opaque,
            { opaque, bytes, count in
                guard let opaque, let bytes else { return kinema_invalid_data() }
                return Unmanaged<ByteSourceHandle>.fromOpaque(opaque).takeUnretainedValue().deliver(into: bytes, count)
            },
            nil,
            canSeek
                ? { opaque, offset, whence in
                    guard let opaque else { return -1 }
                    return Unmanaged<ByteSourceHandle>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
                } : nil)
        guard io != nil else { throw .outOfMemory }
    }

    private static let headSize = 21

    /// Whether the file is a film that plays parts of itself at other rates.
    var changesRate: Bool {
        let descriptor = active
        return canSeek && EditList.changesRate { Self.bytes(of: descriptor, at: off_t($0), $1) }
    }

    /// A file's bytes at a place; its position stays the same.
    private static func bytes(of descriptor: Int32, at place: off_t, _ count: Int) -> [UInt8] {
        // SAFETY: reads into the array's own storage, never beyond it, and sets how much of it was written.
        [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            filled = max(0, pread(descriptor, room.baseAddress, count, place))
        }
    }

    /// Refuses files of other kinds, and an animated WebP, which FFmpeg cannot decode: bit 2 of VP8X's flags is set
    /// (RFC 9649, 2.7).
    private static func refuseOther(_ head: [UInt8], _ source: String) throws(KinemaError) {
        if let name = ForeignFile.name(head) { throw ForeignFile.refusal(name, source) }
        guard head.count == headSize, head.starts(with: "RIFF".utf8), head[8..<16].elementsEqual("WEBPVP8X".utf8),
            head[20] & 2 != 0
        else { return }
        throw KinemaError.unreadable(
            "is an animated WebP, which cannot be read; convert it to a GIF (magick in.webp out.gif) or a "
                + "video", source)
    }

    deinit {
        kinema_free_io(&io)
        if closesDescriptor { close(descriptor) }
    }

    static func open(_ input: MediaInput) throws(KinemaError) -> Int32 {
        switch input {
        case .standardInput:
            // It was closed when the program started if it can only be written to.
            guard fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE != O_WRONLY else {
                throw .unreadable("standard input is closed; send a video or an image", input.source)
            }
            return STDIN_FILENO
        case .file(let url):
            // Non-blocking, so that opening a pipe without a writer cannot hang; no effect on files.
            let descriptor = Foundation.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw failure(errno, input.source) }
            return descriptor
        case .camera, .stream: preconditionFailure("FFmpeg opens these itself")
        }
    }

    /// An unlinked temporary file, which disappears when closed; nil when there is no room.
    static func temporaryFile() -> Int32? {
        var path = Array((NSTemporaryDirectory() + "kinema-XXXXXX").utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private var active: Int32 { temporaryCopy?.fileDescriptor ?? descriptor }

    private func deliver(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        guard let received = read(into: bytes, Int(count)) else { return kinema_exit_requested() }
        if received == 0 { return kinema_end_of_file() }
        return received > 0 ? Int32(received) : kinema_errno(kinema_last_errno())
    }

    /// Reads up to `count` bytes; returns the number, 0 at the end, -1 on failure (see errno), nil when cancelled.
    private func read(into bytes: UnsafeMutableRawPointer, _ count: Int) -> Int? {
        // SAFETY: the caller's buffer has room for `count` bytes.
        if !pending.isEmpty {
            let part = pending.prefix(count)
            part.withUnsafeBytes { if let base = $0.baseAddress { bytes.copyMemory(from: base, byteCount: $0.count) } }
            pending.removeFirst(part.count)
            return part.count
        }
        while !cancellation.isRaised {
            if !canSeek {
                var request = pollfd(fd: active, events: Int16(POLLIN), revents: 0)
                guard poll(&request, 1, Self.pollInterval) != 0 else { continue }
            }
            let received = Foundation.read(active, bytes, count)
            if received < 0, errno == EINTR || errno == EAGAIN { continue }
            return received
        }
        return nil
    }

    /// Seeks to a position, or returns the length in bytes; -1 on failure or when cancelled.
    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        if whence & kinema_seek_size() != 0 {
            var status = stat()
            return fstat(active, &status) == 0 ? Int64(status.st_size) : -1
        }
        return cancellation.isRaised ? -1 : Int64(lseek(active, off_t(offset), whence & ~kinema_seek_force()))
    }

    /// Reads a pipe's first bytes. An MP4 is copied to a temporary file, because its index may be at the end.
    private func peek(_ source: String) throws(KinemaError) {
        var head = [UInt8](repeating: 0, count: Self.headSize)
        var filled = 0
        while filled < head.count {
            let received = head.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.flatMap { read(into: $0 + filled, buffer.count - filled) }
            }
            guard let received, received > 0 else { break }
            filled += received
        }
        pending = Array(head[..<filled])
        guard filled > 0 else {
            let reason =
                cancellation.isRaised
                ? "reading was cancelled" : "the pipe delivered no data; send a video or an image"
            throw KinemaError(.unreadableInput, reason, file: source)
        }
        // ISO/IEC 14496-12, 4.3: the file type box comes first.
        if pending.count >= 8, head[4..<8].elementsEqual("ftyp".utf8) { try copyPipe(source) }
    }

    private func copyPipe(_ source: String) throws(KinemaError) {
        let noSpace = KinemaError.unreadable(
            "no room for a temporary copy of the piped MP4; give the file itself", source)
        guard let copyDescriptor = scratch ?? Self.temporaryFile() else { throw noSpace }
        let file = FileHandle(fileDescriptor: copyDescriptor, closeOnDealloc: scratch == nil)
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let received = block.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.flatMap { read(into: $0, buffer.count) }
            }
            guard let received else { throw KinemaError.unreadable("reading was cancelled", source) }
            guard received > 0 else { break }
            do {
                try file.write(contentsOf: block[..<received])
            } catch {
                throw noSpace
            }
        }
        lseek(copyDescriptor, 0, SEEK_SET)
        (temporaryCopy, canSeek) = (file, true)
    }

    private static func failure(_ code: Int32, _ source: String) -> KinemaError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: BoundedFile.absence(of: source, "check the path")
            case EACCES, EPERM: "cannot be read; check its permissions"
            default: "cannot be opened: \(String(cString: strerror(code)))"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}
