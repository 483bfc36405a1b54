import Foundation
import KinemaCore

/// A locked file that is being written; it is deleted if it is released before it has a name.
final class PartialFile: Sendable {
    static let prefix = "part-"

    let url: URL
    /// Open for reading and writing.
    let handle: FileHandle

    init(in folder: URL) throws(KinemaError) {
        url = folder.appending(path: Self.prefix + RandomID.make())
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KinemaError.unwritable(folder.path, errno: errno) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        unlink(url.path)
        try? handle.close()
    }

    func synchronise() throws(KinemaError) {
        do { try handle.synchronize() } catch {
            throw KinemaError.unwritable(url.deletingLastPathComponent().path, error)
        }
    }

    /// Gives it its name; replaces an existing file.
    func move(to target: URL) throws(KinemaError) {
        guard rename(url.path, target.path) == 0 else { throw KinemaError.unwritable(target.path, errno: errno) }
    }

    /// Removes a file that no process is writing.
    static func removeLeftover(_ file: URL) {
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file.path) }
    }
}
