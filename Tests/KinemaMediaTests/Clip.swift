import Foundation
import Testing

/// A folder that goes away with the test, and `ffmpeg` to make clips in it.
final class Clips: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("kinema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ name: String) -> URL {
        folder.appendingPathComponent(name)
    }

    /// Runs ffmpeg with these arguments and the output file's name at the end.
    @discardableResult
    func make(_ name: String, _ arguments: String) throws -> URL {
        let output = url(name)
        try Self.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y"] + arguments.split(separator: " ").map(String.init) + [output.path])
        return output
    }

    /// The best-effort timestamps of the first video stream's frames, in its time base.
    func stamps(_ url: URL) throws -> [Int] {
        let text = try Self.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp", "-of",
                "csv=p=0",
                url.path,
            ])
        return text.split(separator: "\n").compactMap { Int($0.prefix { $0 == "-" || $0.isNumber }) }
    }

    @discardableResult
    static func run(_ tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        let output = Pipe()
        process.standardOutput = output
        let complaint = Pipe()
        process.standardError = complaint
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let errors = complaint.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let missing = process.terminationStatus == 127
            throw ToolFailure(
                reason: missing
                    ? "\(tool) is not installed: run script/bootstrap"
                    : "\(tool) \(arguments.joined(separator: " ")): \(String(decoding: errors, as: UTF8.self))")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

struct ToolFailure: Error, CustomStringConvertible {
    var reason: String
    var description: String { reason }
}
