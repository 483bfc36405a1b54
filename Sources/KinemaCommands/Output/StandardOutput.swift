import Foundation
import KinemaCore

/// Standard output, written through at once; says so in one line when the reader has gone or the disk is full.
struct StandardOutput: Sendable {
    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws {
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
