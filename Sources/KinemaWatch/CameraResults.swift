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

    /// Makes the camera's folder; throws `unwritableOutput` if that fails.
    package init(_ name: String, in folder: URL, onLine: @escaping @Sendable ([UInt8]) -> Void) throws {
        (self.name, self.onLine) = (name, onLine)
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
            do {
                if state.day != day || state.file == nil {
                    try state.file?.close()
                    state.file = try Self.open(folder.appending(path: "\(day).jsonl"))
                    state.day = day
                }
                try state.file?.write(contentsOf: text)
            } catch {
                // The file may end in half a line, which opening it again ends.
                state.file = nil
                throw KinemaError.unwritable(folder.appending(path: "\(day).jsonl").path, error)
            }
        }
        onLine(text)
    }

    private static func open(_ url: URL) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        let file = try FileHandle(forUpdating: url)
        let end = try file.seekToEnd()
        // A process that was killed may have left half a line.
        if end > 0 {
            try file.seek(toOffset: end - 1)
            if try file.read(upToCount: 1) != Data([10]) { try file.write(contentsOf: Data([10])) }
        }
        return file
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
