import Foundation

extension BoundedFile {
    /// A file that is longer than its stated size is read in parts of this many bytes.
    private static let part = 1 << 16

    static func bytes(of path: String, limit: Int) throws(Refusal) -> [UInt8] {
        let (descriptor, size) = try openRegular(path)
        defer { close(descriptor) }
        guard size <= limit else { throw .tooLarge }
        // One byte more than the stated size, to check that it ends there: files grow, and those of /proc state 0.
        let bytes = try read(descriptor, upTo: size + 1)
        return bytes.count <= size ? bytes : try rest(descriptor, after: bytes, limit: limit)
    }

    /// The first bytes of a regular file; fewer if it is shorter.
    static func bytes(of path: String, first count: Int) throws(Refusal) -> [UInt8] {
        let (descriptor, _) = try openRegular(path)
        defer { close(descriptor) }
        return try read(descriptor, upTo: count)
    }

    static func standardInput(limit: Int) throws(Refusal) -> [UInt8] {
        try rest(STDIN_FILENO, after: [], limit: limit)
    }

    private static func rest(_ descriptor: Int32, after start: [UInt8], limit: Int) throws(Refusal) -> [UInt8] {
        var (bytes, isWhole) = (start, false)
        while !isWhole {
            guard bytes.count <= limit else { throw .tooLarge }
            let count = min(part, limit - bytes.count + 1)
            let more = try read(descriptor, upTo: count)
            bytes += more
            isWhole = more.count < count
        }
        return bytes
    }

    private static func openRegular(_ path: String) throws(Refusal) -> (descriptor: Int32, size: Int) {
        // Checked before opening, because opening a device may have an effect.
        var status = stat()
        guard stat(path, &status) == 0 else { throw Refusal(errno: errno) }
        guard isRegular(status) else { throw .noFile }
        // If it has become a pipe since, opening does not wait for a writer; no effect on files.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Refusal(errno: errno) }
        guard fstat(descriptor, &status) == 0, isRegular(status) else {
            close(descriptor)
            throw .noFile
        }
        return (descriptor, Int(status.st_size))
    }

    /// The next bytes, fewer than asked for only at the end.
    private static func read(_ descriptor: Int32, upTo count: Int) throws(Refusal) -> [UInt8] {
        var hasFailed = false
        // SAFETY: reads into the array's own storage, never beyond it, and sets how much of it was written.
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count, let start = room.baseAddress {
                let received = Foundation.read(descriptor, start + filled, count - filled)
                if received < 0, errno == EINTR { continue }
                if received < 0 { hasFailed = true }
                guard received > 0 else { return }
                filled += received
            }
        }
        if hasFailed { throw .unreadable }
        return bytes
    }
}
