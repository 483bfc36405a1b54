import Foundation
import Kinema

/// Locks a folder for one process; the system releases the lock however the process ends.
final class FolderLockHandle: Sendable {
    private let descriptor: Int32

    /// Throws `unwritableOutput` if another process holds the lock.
    init(_ folder: URL) throws {
        let file = folder.appending(path: ".kinema-batch.lock")
        descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw KinemaError.unwritable(file.path, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else { throw KinemaError.unwritable(file.path, errno: code) }
            throw KinemaError(
                .unwritableOutput, "another kinema batch is writing to this folder; wait or choose another folder",
                file: folder.path)
        }
    }

    deinit { close(descriptor) }
}
