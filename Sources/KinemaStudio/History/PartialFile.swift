package import Foundation
import KinemaCore

/// A file that is being written: locked as long as that goes on, and gone when it is released before it has a name.
package final class PartialFile: Sendable {
    /// What its name begins with until it is whole.
    static let prefix = "part-"

    /// Where it lies meanwhile.
    let url: URL
    /// Open for reading and writing.
    let handle: FileHandle

    init(in folder: URL) throws(KinemaError) {
        url = folder.appending(path: Self.prefix + RandomID.make())
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KinemaError.unwritable(folder.path, errno: errno) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Nobody else knows of it yet, so this does not wait.
        flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        unlink(url.path)
        try? handle.close()
    }

    /// Waits until everything written is on the disk.
    func synchronise() throws(KinemaError) {
        do { try handle.synchronize() } catch {
            throw KinemaError.unwritable(url.deletingLastPathComponent().path, error)
        }
    }

    /// Gives it its name, in place of what was called so.
    func move(to target: URL) throws(KinemaError) {
        guard rename(url.path, target.path) == 0 else { throw KinemaError.unwritable(target.path, errno: errno) }
    }

    /// Takes away what nobody writes any more.
    static func removeLeftover(_ file: URL) {
        let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file.path) }
    }
}

/// A file that is made for one answer: it has no name any more, so it is gone once nobody has it open.
package struct UnnamedFile: Sendable {
    package let handle: FileHandle

    /// Makes an empty one on the disk of a folder.
    init(in folder: URL) throws(KinemaError) {
        let file = try PartialFile(in: folder)
        // A second descriptor: the first is closed, and the name taken away, at the end of this scope.
        let descriptor = fcntl(file.handle.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw KinemaError.unwritable(folder.path, errno: errno) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
