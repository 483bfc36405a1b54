import Foundation
package import KinemaCore

/// A folder with the analysed parts of one file, one file each, which several processes may fill at once.
struct PartFolder: Sendable {
    let url: URL

    private func file(_ part: Int) -> URL { url.appending(path: "\(part).json") }

    func has(_ part: Int) -> Bool { FileManager.default.fileExists(atPath: file(part).path) }

    /// The part; nil if it is absent or belongs to another file.
    func part(_ part: Int, of analysis: PartAnalysis) -> PartFile? {
        guard has(part) else { return nil }
        return try? PartFile(BoundedFile.read(file(part), limit: PartFile.maximumSize), part, of: analysis)
    }

    /// The right to analyse a part; nil while another thread or process has it.
    func claim(_ part: Int) throws(KinemaError) -> PartClaimHandle? { try PartClaimHandle(file(part)) }
}

/// The right to write a part's file.
struct PartClaimHandle {
    private let place: String
    private let lock: FileLockHandle

    /// Nil while another thread or process has it.
    fileprivate init?(_ file: URL) throws(KinemaError) {
        place = file.path
        guard let lock = try FileLockHandle(place + ".partial", of: place) else { return nil }
        self.lock = lock
    }

    func keep(_ bytes: [UInt8]) throws(KinemaError) {
        do {
            let handle = FileHandle(fileDescriptor: lock.descriptor, closeOnDealloc: false)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
        } catch {
            throw .unwritable(place, error)
        }
        guard rename(place + ".partial", place) == 0 else { throw .unwritable(place, errno: errno) }
    }
}

/// A lock on a file, which it creates; the system releases it however the process ends.
package final class FileLockHandle: Sendable {
    let descriptor: Int32

    /// Nil while another thread or process has it; errors name `place`.
    package init?(_ path: String, of place: String) throws(KinemaError) {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .unwritable(place, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            // A file system without locks would never grant the right.
            guard code == EWOULDBLOCK else { throw .unwritable(place, errno: code) }
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
