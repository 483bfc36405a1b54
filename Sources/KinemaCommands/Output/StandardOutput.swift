import Foundation
import KinemaCore

/// Where results go when not to standard output.
protocol ResultSink: Sendable {
    /// Takes the next bytes.
    func write(_ bytes: [UInt8]) throws
}

/// The reader of standard output has gone, as `head` does when it has its lines: the command ends as if it were done,
/// which is what ripgrep does.
struct ClosedOutput: Error {}

/// Standard output, written through at once; says so in one line when the disk is full.
struct StandardOutput: Sendable {
    /// What takes its place in the current task and those it starts: a batch runs several commands at once.
    @TaskLocal static var replacement: (any ResultSink)?

    /// Writes all bytes; throws `ClosedOutput` when nobody reads them any more.
    func write(_ bytes: [UInt8]) throws {
        if let sink = Self.replacement { return try sink.write(bytes) }
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            if Self.isBrokenPipe(error) { throw ClosedOutput() }
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

    /// Writes a line, or a text of several, without what would act on a terminal.
    func line(_ text: String) throws {
        try write(Array((PlainText.lines(text) + "\n").utf8))
    }

    private static func isBrokenPipe(_ error: any Error) -> Bool {
        var cause: NSError? = error as NSError
        while let known = cause {
            if known.domain == NSPOSIXErrorDomain { return known.code == EPIPE }
            cause = known.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return false
    }
}
