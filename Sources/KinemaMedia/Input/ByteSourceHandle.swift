internal import Foundation
internal import KinemaCore

/// An open file or pipe: bytes in order, or from any position when it is a file.
final class ByteSourceHandle {
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let cancellation: CancellationFlag
    /// Files can be read from any position, pipes cannot.
    private(set) var canSeek: Bool
    /// The copy of a pipe that has to be read from any position.
    private var copy: FileHandle?
    /// The beginning of a pipe, looked at but not yet delivered.
    private var pending: [UInt8] = []

    /// How long a read from a silent pipe lasts before the cancellation flag is looked at, in milliseconds.
    private static let pollInterval: Int32 = 50

    init(_ input: MediaInput, cancellation: CancellationFlag) throws(KinemaError) {
        switch input {
        case .standardInput:
            (descriptor, closesDescriptor) = (STDIN_FILENO, false)
        case .file(let url):
            // Not blocking, so that a pipe without a writer cannot hang the opening; no effect on files.
            descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            closesDescriptor = true
            guard descriptor >= 0 else { throw Self.failure(errno, input.source) }
        case .camera, .stream: preconditionFailure("FFmpeg fetches these itself")
        }
        self.cancellation = cancellation
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let kind = status.st_mode & S_IFMT
        canSeek = isKnown && kind == S_IFREG
        // Everything is initialised by now, so `deinit` closes the file.
        guard isKnown else { throw Self.failure(errno, input.source) }
        if kind == S_IFDIR {
            throw KinemaError(.unreadableInput, "is a folder; give a video or picture file", file: input.source)
        }
        if canSeek && status.st_size == 0 {
            throw KinemaError(.unreadableInput, "is empty; give a video or picture file", file: input.source)
        }
        if !canSeek { try lookAhead(input.source) }
    }

    deinit {
        if closesDescriptor { close(descriptor) }
    }

    private var active: Int32 { copy?.fileDescriptor ?? descriptor }

    /// Reads up to `count` bytes: how many came, 0 at the end, -1 on failure (see errno), nil when cancelled.
    func read(into bytes: UnsafeMutableRawPointer, _ count: Int) -> Int? {
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

    /// Moves to a position; -1 on failure or when cancelled.
    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        cancellation.isRaised ? -1 : Int64(lseek(active, off_t(offset), whence))
    }

    /// The length in bytes; -1 when unknown.
    var size: Int64 {
        var status = stat()
        return fstat(active, &status) == 0 ? Int64(status.st_size) : -1
    }

    /// Looks at a pipe's first bytes: an MP4 is copied to a temporary file first, because its index may be at its end.
    private func lookAhead(_ source: String) throws(KinemaError) {
        var head = [UInt8](repeating: 0, count: 12)
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
                ? "reading was cancelled" : "nothing came through the pipe; give a video or picture"
            throw KinemaError(.unreadableInput, reason, file: source)
        }
        // ISO/IEC 14496-12, 4.3: the file type box comes first.
        if head[4..<8].elementsEqual("ftyp".utf8) { try copyPipe(source) }
    }

    /// Copies the rest of the pipe into a file without a name, which is gone when it is closed.
    private func copyPipe(_ source: String) throws(KinemaError) {
        let full = KinemaError(
            .unreadableInput, "no room for a temporary copy of the piped MP4; give the file itself", file: source)
        var path = Array((NSTemporaryDirectory() + "kinema-XXXXXX").utf8CString)
        let made = mkstemp(&path)
        guard made >= 0 else { throw full }
        unlink(path)
        let file = FileHandle(fileDescriptor: made, closeOnDealloc: true)
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let received = block.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.flatMap { read(into: $0, buffer.count) }
            }
            guard let received else { throw KinemaError(.unreadableInput, "reading was cancelled", file: source) }
            guard received > 0 else { break }
            do {
                try file.write(contentsOf: block[..<received])
            } catch {
                throw full
            }
        }
        lseek(made, 0, SEEK_SET)
        (copy, canSeek) = (file, true)
    }

    private static func failure(_ code: Int32, _ source: String) -> KinemaError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "no such file; check the path"
            case EACCES, EPERM: "may not be read; check its permissions"
            default: "cannot be opened: \(String(cString: strerror(code)))"
            }
        return KinemaError(.unreadableInput, reason, file: source)
    }
}
