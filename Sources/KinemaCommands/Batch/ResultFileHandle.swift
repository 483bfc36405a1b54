import Foundation
import Kinema
import Synchronization

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

    /// Puts the file in its place, over an older one.
    func commit() throws {
        do {
            try handle.withLock {
                try $0.synchronize()
                try $0.close()
            }
        } catch {
            throw KinemaError.unwritable(place.path, error)
        }
        // In one step over an older result, which Foundation's moveItem refuses to.
        guard rename(partial.path, place.path) == 0 else { throw KinemaError.unwritable(place.path, errno: errno) }
    }

    /// Leaves nothing behind.
    func discard() {
        handle.withLock { try? $0.close() }
        try? FileManager.default.removeItem(at: partial)
    }
}
