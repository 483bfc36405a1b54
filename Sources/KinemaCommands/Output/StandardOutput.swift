import Foundation
import Kinema

/// Standard output without a buffer.
struct StandardOutput: Sendable {
    /// Replaces standard output in the current task and those it starts: a batch runs several commands at once.
    @TaskLocal static var replacement: (any ResultSink)?

    /// Writes all bytes; throws `ClosedOutput` if the reader has closed the pipe.
    func write(_ bytes: [UInt8]) throws {
        if let sink = Self.replacement { return try sink.write(bytes) }
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            if Self.isBrokenPipe(error) { throw ClosedOutput() }
            throw KinemaError(.unwritableOutput, "cannot write the results to standard output")
        }
    }

    func jsonLine(_ write: (inout JSONText) -> Void) throws {
        var json = JSONText()
        write(&json)
        json.newline()
        try self.write(json.bytes)
    }

    /// Writes a line or several, with control characters escaped.
    func line(_ text: String) throws { try write(Array((PlainText.lines(text) + "\n").utf8)) }

    private static func isBrokenPipe(_ error: any Error) -> Bool {
        var cause: NSError? = error as NSError
        while let known = cause {
            if known.domain == NSPOSIXErrorDomain { return known.code == EPIPE }
            cause = known.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return false
    }
}
