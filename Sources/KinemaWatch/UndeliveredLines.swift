package import Foundation
import KinemaCore

/// The file of the lines that a receiver did not take; the next run sends them first.
package struct UndeliveredLines: Sendable {
    package let file: URL
    private let cameras: [String]

    /// The largest file that is read: more than the lines that a queue holds.
    private static let mostBytes = 256 << 20

    /// The lines for a receiver in the folder of results; `cameras` are the names, whose order numbers the lines.
    package init(for receiver: String, in folder: URL, cameras: [String]) {
        (file, self.cameras) = (folder.appending(path: "undelivered-\(receiver).jsonl"), cameras)
    }

    /// The lines of the last run, oldest first; empty without a file.
    func read() -> [WaitingLine] {
        guard let bytes = try? BoundedFile.read(file, limit: Self.mostBytes, excess: "remove it") else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).suffix(LineQueue.most).map { line in
            let camera = cameras.firstIndex { line.starts(with: Array("{\"camera\":\"\($0)\",".utf8)) }
            return WaitingLine(camera: camera ?? 0, text: Array(line) + [UInt8(ascii: "\n")])
        }
    }

    /// Keeps these lines instead of those of the last run; returns whether they are in the file.
    func keep(_ lines: [WaitingLine]) -> Bool {
        guard !lines.isEmpty else {
            try? FileManager.default.removeItem(at: file)
            return false
        }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        return (try? AtomicFile.write(lines.flatMap(\.text), to: file)) != nil
    }
}
