import Foundation
import KinemaCore

/// A folder that only this user can enter and only this process uses; gone when let go of.
final class PrivateFolder: Sendable {
    let url: URL
    private let lock: FileHandle

    private static let prefix = "kinema-studio-"

    /// Makes the folder, and takes away those that a studio left behind which was killed.
    init(in parent: URL) throws {
        Self.removeLeftovers(in: parent)
        url = parent.appending(path: Self.prefix + RandomName.make())
        let file = url.appending(path: "lock")
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            lock = try FileHandle(forUpdating: file)
        } catch {
            throw KinemaError(.unwritableOutput, "no folder for uploads can be made here", file: parent.path)
        }
        // The system lets go of it when the process ends, however it ends.
        _ = flock(lock.fileDescriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        try? lock.close()
    }

    private static func removeLeftovers(in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) {
            let folder = parent.appending(path: name)
            guard let lock = try? FileHandle(forUpdating: folder.appending(path: "lock")) else { continue }
            if flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: folder) }
            try? lock.close()
        }
    }
}
