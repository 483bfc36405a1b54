import Foundation
package import KinemaCore

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
