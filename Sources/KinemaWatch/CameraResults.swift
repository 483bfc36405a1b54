package import Foundation
import KinemaCore
import Synchronization

package final class CameraResults: Sendable {
    private struct State {
        var day = ""
        var file: FileHandle?
    }

    private let name: String
    private let folder: URL
    private let state = Mutex(State())
    private let onLine: @Sendable ([UInt8]) -> Void
    private let onNotice: @Sendable (String) -> Void

    /// The most bytes at the end of a file that are searched for the end of the last whole line.
    private static let longestLine = 4 << 20

    /// Makes the camera's folder; throws `unwritableOutput` if that fails. Calls `onNotice` when the file was removed or
    /// replaced and is made again.
    package init(
        _ name: String, in folder: URL, onLine: @escaping @Sendable ([UInt8]) -> Void,
        onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        (self.name, self.onLine, self.onNotice) = (name, onLine, onNotice)
        self.folder = folder.appending(path: name)
        do {
            try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError.unwritable(self.folder.path, error)
        }
    }

    /// Takes lines of JSON, as the command writes them.
    package func write(_ bytes: [UInt8]) throws {
        for line in bytes.split(separator: UInt8(ascii: "\n")) { try append(Array(line)) }
    }

    private func append(_ event: [UInt8]) throws {
        let now = Date.now.formatted(Self.style)
        var text = Array("{\"camera\":\"\(name)\",\"at\":\"\(now)\",\"event\":".utf8)
        text += event + Array("}\n".utf8)
        try state.withLock { state in
            let day = String(now.prefix(10))
            let url = folder.appending(path: "\(day).jsonl")
            if state.day == day, let file = state.file, !Self.isKept(file, at: url) {
                state.file = nil
                onNotice("kinema: \(name): \(url.path) was removed or replaced; it is made again")
            }
            do {
                if state.day != day || state.file == nil {
                    try state.file?.close()
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    state.file = try Self.open(url)
                    state.day = day
                }
                try Self.append(text, to: state.file)
            } catch {
                state.file = nil
                throw KinemaError.unwritable(url.path, error)
            }
        }
        onLine(text)
    }

    private static func open(_ url: URL) throws -> FileHandle {
        var found = stat()
        guard lstat(url.path, &found) != 0 || found.st_mode & S_IFMT == S_IFREG else {
            throw KinemaError(
                .unwritableOutput, "is a link or no file; results go into files of their own", file: url.path)
        }
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        let file = try FileHandle(forUpdating: url)
        let end = try file.seekToEnd()
        // A process that was killed may have left half a line.
        let start = end - min(end, UInt64(longestLine))
        try file.seek(toOffset: start)
        let tail = try file.read(upToCount: longestLine) ?? Data()
        let lineEnd = tail.lastIndex(of: 10).map { UInt64(tail.distance(from: tail.startIndex, to: $0)) + 1 }
        if let whole = lineEnd ?? (start == 0 ? 0 : nil), start + whole < end {
            try file.truncate(atOffset: start + whole)
        }
        _ = try file.seekToEnd()
        return file
    }

    /// Adds a line, all or nothing: a full disk leaves no half of it.
    private static func append(_ text: [UInt8], to file: FileHandle?) throws {
        let end = try file?.offset()
        do {
            try file?.write(contentsOf: text)
        } catch {
            if let end { try? file?.truncate(atOffset: end) }
            throw error
        }
    }

    /// Whether a path still leads to an open file: what is written into a removed one is lost.
    private static func isKept(_ file: FileHandle, at url: URL) -> Bool {
        var (own, found) = (stat(), stat())
        return fstat(file.fileDescriptor, &own) == 0 && lstat(url.path, &found) == 0 && own.st_ino == found.st_ino
            && own.st_dev == found.st_dev
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
