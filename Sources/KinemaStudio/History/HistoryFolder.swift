import Foundation
import KinemaCore

/// A folder beside the file of the history that only its owner may enter: `history.sqlite` has `history.videos` and
/// `history.classifiers`. It is made when the first file comes into it.
package struct HistoryFolder: Sendable {
    /// What lies in it.
    enum Kind: String {
        case videos, classifiers
    }

    /// Where it lies.
    let url: URL

    init(_ kind: Kind, beside file: URL) {
        let stem = file.pathExtension == "sqlite" ? file.deletingPathExtension() : file
        url = stem.appendingPathExtension(kind.rawValue)
    }

    /// The name of a session's video.
    static func name(_ id: UUID, _ kind: SessionVideo.Kind) -> String { "\(id.uuidString).\(kind.fileEnding)" }

    /// A file in it.
    func file(_ name: String) -> URL { url.appending(path: name) }

    /// Takes a file away, if it is there.
    func remove(_ name: String) { try? FileManager.default.removeItem(at: file(name)) }

    /// Makes the folder where it is not there yet.
    func prepare() throws(KinemaError) {
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw KinemaError.unwritable(url.path, error)
        }
    }

    /// Begins a file, which is given its name once it is whole.
    func begin() throws(KinemaError) -> PartialFile {
        try prepare()
        return try PartialFile(in: url)
    }

    /// Takes away every file of which `isWanted` is false, but what somebody is writing.
    func removeStrays(_ isWanted: (String) -> Bool) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] where !isWanted(name) {
            if name.hasPrefix(PartialFile.prefix) {
                PartialFile.removeLeftover(file(name))
            } else {
                remove(name)
            }
        }
    }
}

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
