import ArgumentParser
package import Foundation
import Kinema
package import KinemaCore

package enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
    /// JSON Lines, written at once.
    case jsonl
    case csv
}

package enum OutputFolder {
    /// Creates the folder and its parents, or throws `unwritableOutput`.
    package static func make(_ path: String) throws -> URL {
        try OutputPlace.checkName(path)
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError(
                .unwritableOutput, "this folder cannot be created; choose another with --output", file: path)
        }
        return folder
    }
}

/// A file to write at the end of long work; a place that cannot be written fails at the beginning.
package enum OutputPlace {
    /// Throws `unwritableOutput` if no file can be created there.
    package static func check(_ output: String) throws {
        try checkName(output)
        guard !FileManager.default.isFolder(output) else {
            throw KinemaError(.unwritableOutput, "is a folder; give a file name", file: output)
        }
        let kind = (try? FileManager.default.attributesOfItem(atPath: output))?[.type] as? FileAttributeType
        // Devices and pipes are writable regardless of their folder.
        if kind == .typeCharacterSpecial || kind == .typeUnknown { return }
        let folder = URL(filePath: output).deletingLastPathComponent()
        guard FileManager.default.isFolder(folder.path) else {
            throw KinemaError(.unwritableOutput, "the output folder does not exist; create it first", file: output)
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw KinemaError(
                .unwritableOutput, "cannot be written; check the permissions of its folder", file: output)
        }
    }

    /// Throws `invalidArgument` for an empty name, which Foundation takes for the current folder.
    package static func checkName(_ output: String) throws {
        if output.isEmpty {
            throw KinemaError(.invalidArgument, "the name of an output is empty; give a file or a folder")
        }
    }
}

extension FileManager {
    /// Whether there is a folder at the path.
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// Writes a command's final output: the printed results, then its files. A failed file does not lose the others.
package struct SideFiles {
    package init() {}

    private var failures: [any Error] = []

    /// Writes a part; its failure is thrown by `conclude`.
    package mutating func write(_ part: () throws -> Void) { do { try part() } catch { failures.append(error) } }

    /// Writes a file of JSON Lines, if one is asked for.
    mutating func write(_ lines: [some Encodable], to path: String?) {
        guard let path else { return }
        write { try AtomicFile.write(Array(ResultCoding.lines(lines).utf8), to: URL(filePath: path)) }
    }

    mutating func add(_ failure: (any Error)?) { if let failure { failures.append(failure) } }

    /// Throws the first failure; further ones are a line each.
    package func conclude() throws {
        // A closed pipe alone shows only in the exit code.
        let failed = failures.filter { !($0 is ClosedOutput) }
        for failure in failed.dropFirst() { Console.shared.line("kinema: \(failure)") }
        if let first = failed.first ?? failures.first { throw first }
    }
}

/// Standard output without a buffer.
package struct StandardOutput: Sendable {
    /// Replaces standard output in the current task and those it starts: a batch runs several commands at once.
    @TaskLocal static var replacement: (any ResultSink)?

    package init() {}

    /// Writes all bytes; throws `ClosedOutput` if the reader has closed the pipe.
    package func write(_ bytes: [UInt8]) throws {
        if let sink = Self.replacement { return try sink.write(bytes) }
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            if Self.isBrokenPipe(error) { throw ClosedOutput() }
            throw KinemaError(.unwritableOutput, "cannot write the results to standard output")
        }
    }

    package func jsonLine(_ write: (inout JSONText) -> Void) throws {
        var json = JSONText()
        write(&json)
        json.newline()
        try self.write(json.bytes)
    }

    /// Writes a line or several, with control characters escaped.
    package func line(_ text: String) throws { try write(Array((PlainText.lines(text) + "\n").utf8)) }

    private static func isBrokenPipe(_ error: any Error) -> Bool {
        var cause: NSError? = error as NSError
        while let known = cause {
            if known.domain == NSPOSIXErrorDomain { return known.code == EPIPE }
            cause = known.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return false
    }
}
