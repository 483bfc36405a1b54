import ArgumentParser
import Foundation
import Kinema
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

/// How results are written to standard output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people.
    case text
    /// One JSON value.
    case json
    /// One JSON value a line, as soon as it is known.
    case jsonl
    /// A table with a header.
    case csv
}

/// A file to be written at the end of long work: told at its beginning when that cannot be.
enum OutputPlace {
    /// Throws `unwritableOutput` when no file can be made there.
    static func check(_ output: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue {
            throw KinemaError(.unwritableOutput, "is a folder; give a file name", file: output)
        }
        let kind = (try? FileManager.default.attributesOfItem(atPath: output))?[.type] as? FileAttributeType
        // Devices and pipes are written to, whatever their folder.
        if kind == .typeCharacterSpecial || kind == .typeUnknown { return }
        let folder = URL(filePath: output).deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw KinemaError(.unwritableOutput, "the folder of the output does not exist; make it first", file: output)
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw KinemaError(
                .unwritableOutput, "may not be written; check the permissions of its folder", file: output)
        }
    }
}

/// Folders that results go into.
enum OutputFolder {
    /// Makes the folder with those above it; says in one line when it cannot be made.
    static func make(_ path: String) throws -> URL {
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw KinemaError(
                .unwritableOutput, "this folder cannot be made; name another with --output", file: path)
        }
        return folder
    }
}

/// What the command's exit code means; the numbers are part of its contract.
enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    case nothingFound = 2
    case wrongUsage = 64
    case unreadableInput = 65
    case interrupted = 130

    init(_ error: KinemaError) {
        switch error.code {
        case .unreadableInput: self = .unreadableInput
        case .invalidArgument: self = .wrongUsage
        case .unwritableOutput, .missingComponent, .unsupported, .analysisFailed: self = .failed
        }
    }

    var exitCode: ExitCode { ExitCode(rawValue) }
}
