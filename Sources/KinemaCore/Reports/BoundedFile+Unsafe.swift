import Foundation

extension BoundedFile {
    /// The bytes beyond which a file that turns out longer than it said is read in parts of this size.
    private static let part = 1 << 16

    /// The bytes of a regular file of at most `limit` bytes.
    static func bytes(of path: String, limit: Int) throws(Refusal) -> [UInt8] {
        // Looked at before it is opened, since to open a device may do something.
        var status = stat()
        guard stat(path, &status) == 0 else { throw Refusal(errno: errno) }
        guard isRegular(status) else { throw .noFile }
        // Should it have become a pipe meanwhile, opening does not wait for a writer; no effect on files.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Refusal(errno: errno) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0 else { throw .unreadable }
        guard isRegular(status) else { throw .noFile }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooLarge }
        // One byte more than it says, to see that it ends there: others grow, and those of /proc say they are empty.
        var bytes = try read(descriptor, upTo: size + 1)
        var isWhole = bytes.count <= size
        while !isWhole {
            guard bytes.count <= limit else { throw .tooLarge }
            let count = min(part, limit - bytes.count + 1)
            let more = try read(descriptor, upTo: count)
            bytes += more
            isWhole = more.count < count
        }
        return bytes
    }

    /// The next bytes, fewer than asked for only at the end.
    private static func read(_ descriptor: Int32, upTo count: Int) throws(Refusal) -> [UInt8] {
        var hasFailed = false
        // SAFETY: reads into the array's own room, never beyond it, and states how much of it was written.
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
