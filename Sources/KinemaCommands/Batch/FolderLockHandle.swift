import Foundation
import Kinema

/// Keeps a folder to one process at a time; the system lets go of it however the process ends.
final class FolderLockHandle: Sendable {
    private let descriptor: Int32

    /// Throws `unwritableOutput` when another process has the folder.
    init(_ folder: URL) throws {
        let file = folder.appending(path: ".kinema-batch.lock")
        descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw KinemaError.unwritable(file.path, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw KinemaError(
                .unwritableOutput, "another kinema batch writes into this folder; wait for it or name another",
                file: folder.path)
        }
    }

    deinit { close(descriptor) }
}
