import Foundation
import Kinema
import Synchronization

/// Which videos are being worked on, so that the next run knows which ones the process died with.
struct BatchJournal {
    private let url: URL
    /// How often the process died while a video was being worked on.
    private(set) var deaths: [String: Int]

    /// From so many on, the video is taken for the cause.
    static let most = 2
    /// The largest journal that is taken up, in bytes: it names the videos of one run of a few processes.
    private static let maximumSize = 1 << 20

    /// Takes up what a run that died left behind; otherwise begins anew.
    init(in folder: URL, takesUp: Bool) {
        url = folder.appending(path: ".kinema-batch.running")
        let bytes = takesUp ? (try? BoundedFile.read(url, limit: Self.maximumSize)) ?? [] : []
        deaths = (try? JSONDecoder().decode([String: Int].self, from: Data(bytes))) ?? [:]
    }

    /// Notes that a video begins: should the process die, this was one more time.
    mutating func begin(_ source: String) throws {
        deaths[source, default: 0] += 1
        try save()
    }

    /// Notes that a video has ended, in whatever way but the process's death.
    mutating func end(_ source: String) throws {
        deaths[source] = nil
        try save()
    }

    private func save() throws {
        guard !deaths.isEmpty else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        // Only the death of the process is told by it, not that of the machine.
        try ResultFileHandle.write(Array(try JSONEncoder().encode(deaths)), to: url, synchronizes: false)
    }

    /// Forgets videos that are done: the process died after that was noted, and before it was noted here.
    mutating func forget(_ sources: [String]) throws {
        let known = sources.filter { deaths[$0] != nil }
        guard !known.isEmpty else { return }
        known.forEach { deaths[$0] = nil }
        try save()
    }
}

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

/// A result that is being written beside its place and put there when it is whole.
final class ResultFileHandle: ResultSink {
    private let place: URL
    private let partial: URL
    private let handle: Mutex<FileHandle>

    /// Begins the file, with the folders above it; one left behind by a run that died is begun anew.
    init(_ place: URL) throws {
        self.place = place
        let folder = place.deletingLastPathComponent()
        partial = folder.appending(path: ".\(place.lastPathComponent).partial")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: partial)
            handle = Mutex(try FileHandle(forWritingTo: partial))
        } catch {
            throw KinemaError.unwritable(place.path, error)
        }
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try handle.withLock { try $0.write(contentsOf: bytes) }
        } catch {
            throw KinemaError.unwritable(place.path, error)
        }
    }

    /// Writes a file in one step; a kill leaves at most the one name behind that the next begins anew.
    static func write(_ bytes: [UInt8], to place: URL, synchronizes: Bool = true) throws {
        let file = try ResultFileHandle(place)
        do {
            try file.write(bytes)
        } catch {
            file.discard()
            throw error
        }
        try file.commit(synchronizes: synchronizes)
    }

    /// Puts the file in its place, over an older one; on the disk before that, unless it need not outlive the machine.
    ///
    /// Leaves nothing behind where that fails.
    func commit(synchronizes: Bool = true) throws {
        do {
            try handle.withLock {
                if synchronizes { try $0.synchronize() }
                try $0.close()
            }
        } catch {
            discard()
            throw KinemaError.unwritable(place.path, error)
        }
        // In one step over an older result, which Foundation's moveItem refuses to.
        guard rename(partial.path, place.path) == 0 else {
            let code = errno
            discard()
            throw KinemaError.unwritable(place.path, errno: code)
        }
    }

    /// Leaves nothing behind.
    func discard() {
        handle.withLock { try? $0.close() }
        try? FileManager.default.removeItem(at: partial)
    }
}
