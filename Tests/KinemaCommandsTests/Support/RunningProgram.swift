import Foundation
import KinemaTestSupport
import Testing

/// A process whose output goes into files, so that neither side ever waits for the other.
final class RunningProgram {
    private let process = Process()
    private let files: TemporaryFolder

    init(_ executable: URL, _ arguments: [String], environment: [String: String], folder: URL?) throws {
        files = try TemporaryFolder()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.currentDirectoryURL = folder ?? files.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.sink(files.file("output"))
        process.standardError = try Self.sink(files.file("complaint"))
        try process.run()
    }

    private static func sink(_ url: URL) throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }

    /// What was written to standard output so far.
    var output: Data { (try? Data(contentsOf: files.file("output"))) ?? Data() }

    /// What was written to standard error so far.
    var complaint: String {
        String(decoding: (try? Data(contentsOf: files.file("complaint"))) ?? Data(), as: UTF8.self)
    }

    /// Asks the process to stop, as Ctrl-C does, or with SIGTERM a service manager.
    func interrupt(_ signal: Int32 = SIGINT) { kill(process.processIdentifier, signal) }

    /// Ends the process without a word, as a power cut does.
    func breakOff() { kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end; a process that does not end is killed, and that is a failure.
    func outcome(
        within limit: Duration = .seconds(120), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Program.Outcome {
        let hung = try await !holds(within: limit) { !self.process.isRunning }
        if hung {
            kill(process.processIdentifier, SIGKILL)
            Issue.record("hung: \(process.arguments ?? [])", sourceLocation: sourceLocation)
        }
        process.waitUntilExit()
        // As a shell tells it: killed by a signal is 128 and its number.
        let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        return Program.Outcome(
            status: status, output: output, complaint: complaint, hung: hung)
    }

    /// Whether a condition comes true in time, looked at every few milliseconds.
    func holds(within limit: Duration = .seconds(240), _ condition: () -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return condition()
    }
}
