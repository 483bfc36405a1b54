import Foundation
import Kinema
import Synchronization

/// A result that is written to a temporary file and moved into place when complete.
final class ResultFileHandle: ResultSink {
    private let place, partial: URL
    private let handle: Mutex<FileHandle>

    /// The longest name in bytes that leaves room for what marks an unfinished file.
    static let longestName = PlainText.nameBytes - ".".utf8.count - ".partial".utf8.count

    /// Creates the file and its folders; overwrites one that a crashed run left.
    init(_ place: URL) throws {
        self.place = place
        let folder = place.deletingLastPathComponent()
        partial = folder.appending(path: ".\(place.lastPathComponent).partial")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // What a link of this name leads to is not ours.
            unlink(partial.path)
            try Data().write(to: partial, options: .withoutOverwriting)
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

    /// Writes a file completely or not at all; a kill leaves at most the temporary file, which the next run overwrites.
    static func write(
        to place: URL, synchronizes: Bool = true, _ content: (ResultFileHandle) throws -> Void
    ) throws {
        let file = try ResultFileHandle(place)
        do {
            try content(file)
        } catch {
            file.discard()
            throw error
        }
        try file.commit(synchronizes: synchronizes)
    }

    /// Moves the file into place atomically, after flushing it to disk if `synchronizes`; leaves nothing on failure.
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
        // Atomically over an older result, which Foundation's moveItem refuses.
        guard rename(partial.path, place.path) == 0 else {
            let code = errno
            discard()
            throw KinemaError.unwritable(place.path, errno: code)
        }
    }

    func discard() {
        handle.withLock { try? $0.close() }
        try? FileManager.default.removeItem(at: partial)
    }
}
