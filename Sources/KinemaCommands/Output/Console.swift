package import ArgumentParser
import Foundation
package import KinemaCore
import Synchronization

/// Standard error: the progress bar, warnings and errors, apart from the data.
package final class Console: Sendable {
    package static let shared = Console()

    /// The input of the current task in a batch or a job; its lines begin with it, and it draws no progress bar.
    @TaskLocal static var speaker: String?
    /// The replacement of standard error in the current task, for tests.
    @TaskLocal static var replacement: (any ResultSink)?

    private struct State {
        var barIsShown = false
        var lastDraw = ContinuousClock.now - .seconds(1)
    }

    private let state = Mutex(State())
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Draws the progress bar, at most ten times a second, and only on a terminal.
    package func progress(_ done: Int, of total: Int?, note: String) {
        if let speaker = Self.speaker {
            BatchMeter.current?.note(speaker, frames: done, of: total)
        } else {
            bar(done, of: total, note: note)
        }
    }

    func bar(_ done: Int, of total: Int?, note: String) {
        guard isTerminal else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.lastDraw > .milliseconds(100) else { return }
            state.lastDraw = now
            state.barIsShown = true
            write("\r\u{1B}[K" + Self.bar(done, of: total) + " " + PlainText.oneLine(note))
        }
    }

    package func endProgress() {
        state.withLock { state in
            if state.barIsShown { write("\r\u{1B}[K") }
            state.barIsShown = false
        }
    }

    /// Writes one line; line breaks in names of files are escaped.
    package func line(_ text: String) {
        endProgress()
        // A command's own lines, and warnings about the input, already name it.
        var owner = Self.speaker.map { "\($0): " } ?? ""
        if text.hasPrefix("kinema: ") || text.hasPrefix("warning: " + owner) { owner = "" }
        write(PlainText.oneLine(owner + text) + "\n")
    }

    /// Whether a person reads the lines as they come, and no file keeps them.
    package var isInteractive: Bool { isTerminal && Self.replacement == nil }

    /// Writes the lines of a picture made of characters, with its colours.
    package func picture(_ lines: [String]) {
        endProgress()
        write(lines.joined(separator: "\n") + "\n")
    }

    /// Writes findings as warnings; the frame count of a live source is not a warning.
    package func warn(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics {
            line((diagnostic.code == "live.frames" ? "kinema: " : "warning: ") + "\(diagnostic)")
        }
    }

    /// Reports that an input holds nothing to report; returns the exit code.
    package func nobody(in source: String, _ finding: String = "no person was found") -> ExitCode {
        line("kinema: \(source): \(finding)")
        return ExitStatus.nothingFound.exitCode
    }

    private static func bar(_ done: Int, of total: Int?) -> String {
        guard let total, total > 0 else { return PlainText.counted(done, "frame") }
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * 24)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
        return "\(bar) \(Int(share * 100)) % \(done)/\(max(total, done))"
    }

    private func write(_ text: String) {
        if let sink = Self.replacement {
            try? sink.write(Array(text.utf8))
        } else {
            try? FileHandle.standardError.write(contentsOf: Array(text.utf8))
        }
    }
}

package enum ExitStatus: Int32 {
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

    package var exitCode: ExitCode { ExitCode(rawValue) }
}

/// The reader of standard output has closed the pipe, as `head` does: the command ends with 0, as ripgrep does.
package struct ClosedOutput: Error {}
