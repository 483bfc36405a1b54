import Foundation
import KinemaCore

/// A folder that only this user can enter and only this process uses; removed with this object.
final class PrivateFolder: Sendable {
    let url: URL
    private let lock: FileHandle

    private static let prefix = "kinema-studio-"
    /// Another studio may remove a folder before it is locked.
    private static let attempts = 3

    /// Makes it, and its parent where that was removed; throws the system's error.
    init(in parent: URL) throws {
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        for _ in 0..<Self.attempts {
            let url = parent.appending(path: Self.prefix + RandomID.make())
            guard mkdir(url.path, 0o700) == 0 else { throw POSIXError.last }
            if let lock = Self.lock(url) {
                (self.url, self.lock) = (url, lock)
                return
            }
        }
        throw POSIXError(.EAGAIN)
    }

    /// Whether the path still leads to it.
    var isThere: Bool { LineFile.isKept(lock, at: url) }

    deinit {
        try? FileManager.default.removeItem(at: url)
        try? lock.close()
    }

    /// Removes the folders of this user's studios that were killed.
    static func removeLeftovers(in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) && RandomID.isOne(name.dropFirst(prefix.count)) {
            let folder = parent.appending(path: name)
            guard let lock = lock(folder) else { continue }
            try? FileManager.default.removeItem(at: folder)
            try? lock.close()
        }
    }

    /// Locks a folder of this user; nil for another user's, for a link, and while another process has it.
    private static func lock(_ folder: URL) -> FileHandle? {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        // Without links it has been removed.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            status.st_nlink > 0
        else { return nil }
        return handle
    }
}
