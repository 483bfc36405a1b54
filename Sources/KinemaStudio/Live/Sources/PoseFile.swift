import Foundation
import Kinema
import KinemaCore

/// Writes poses as Kinema's JSON Lines while they are found.
final class PoseFile {
    private let file: FileHandle
    private let path: String
    private var waiting: [UInt8] = []

    /// So many bytes are written at once: some thirty frames.
    private static let portion = 1 << 16

    /// Makes the file, replacing an existing one, for nobody else to read.
    init(_ url: URL) throws {
        path = url.path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Self.unwritable }
        self.file = file
    }

    /// Adds a frame.
    func add(_ frame: ExportedFrame) throws {
        var json = JSONText()
        json.frame(frame)
        json.newline()
        waiting += json.bytes
        if waiting.count >= Self.portion { try flush() }
    }

    /// Writes what is left.
    func close() throws {
        try flush()
        try? file.close()
    }

    private func flush() throws {
        defer { waiting = [] }
        do { try file.write(contentsOf: waiting) } catch { throw Self.unwritable }
    }

    private static let unwritable = KinemaError(
        .unwritableOutput, "the poses cannot be written; is there space left for uploads?")
}
