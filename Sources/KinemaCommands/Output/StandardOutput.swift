import Foundation
import KinemaCore

/// Where results go when not to standard output.
protocol ResultSink: Sendable {
    /// Takes the next bytes.
    func write(_ bytes: [UInt8]) throws
}

/// Standard output, written through at once; says so in one line when the reader has gone or the disk is full.
struct StandardOutput: Sendable {
    /// What takes its place in the current task and those it starts: a batch runs several commands at once.
    @TaskLocal static var replacement: (any ResultSink)?

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws {
        if let sink = Self.replacement { return try sink.write(bytes) }
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            throw KinemaError(.unwritableOutput, "cannot write the results to standard output")
        }
    }

    /// Writes a line of JSON Lines.
    func jsonLine(_ write: (inout JSONText) -> Void) throws {
        var json = JSONText()
        write(&json)
        json.newline()
        try self.write(json.bytes)
    }

    /// Writes a line.
    func line(_ text: String) throws {
        try write(Array((text + "\n").utf8))
    }
}
