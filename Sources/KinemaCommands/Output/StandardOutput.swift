import Foundation
import Kinema

protocol ResultSink: Sendable {
    func write(_ bytes: [UInt8]) throws
}

/// The reader of standard output has closed the pipe, as `head` does: the command ends with 0, as ripgrep does.
struct ClosedOutput: Error {}

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

/// Writes a command's final output: the printed results, then its files. A failed file does not lose the others.
struct SideFiles {
    private var failures: [any Error] = []

    /// Writes a part; its failure is thrown by `conclude`.
    mutating func write(_ part: () throws -> Void) { do { try part() } catch { failures.append(error) } }

    /// Writes a file of JSON Lines, if one is asked for.
    mutating func write(_ lines: [some Encodable], to path: String?) {
        guard let path else { return }
        write { try AtomicFile.write(Array(ResultCoding.lines(lines).utf8), to: URL(filePath: path)) }
    }

    mutating func add(_ failure: (any Error)?) { if let failure { failures.append(failure) } }

    /// Throws the first failure; further ones are a line each.
    func conclude() throws {
        // A closed pipe alone shows only in the exit code.
        let failed = failures.filter { !($0 is ClosedOutput) }
        for failure in failed.dropFirst() { Console.shared.line("kinema: \(failure)") }
        if let first = failed.first ?? failures.first { throw first }
    }
}
