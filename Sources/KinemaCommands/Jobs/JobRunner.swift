import ArgumentParser
import Foundation
import Kinema
import KinemaVision

/// Runs one of the commands on one file, with its results into a sink: for a batch, and for jobs from another program.
struct JobRunner: Sendable {
    let task: JobTask
    let interruption: Interruption

    /// How a run of the command ended.
    enum Outcome: Sendable {
        case done
        /// The result is written, and says that nobody or nothing was found.
        case nothing
        /// Whatever came of it is half of what was wanted.
        case interrupted
        /// A library or a model is missing, so no other file would do better.
        case missing(KinemaError)
        /// One line without the file's own path, and the exit code that the command would have ended with.
        case failed(String, ExitStatus)
    }

    /// Runs the command to its end; its lines on standard error are marked as the file's, or with another name.
    func run(
        _ path: String, as name: String? = nil, options: [String], into sink: some ResultSink
    ) async -> Outcome {
        let outcome = await Console.$speaker.withValue(name ?? path) {
            await ModelStore.$isOneOfSeveral.withValue(true) { await attempt(path, options, sink) }
        }
        // What a command makes of a signal, a wrong input too, is not the file's.
        return interruption.isRaised ? .interrupted : outcome
    }

    private func attempt(_ path: String, _ options: [String], _ sink: some ResultSink) async -> Outcome {
        do {
            try await write(path, options, sink)
            return .done
        } catch let code as ExitCode where code == ExitStatus.nothingFound.exitCode {
            return .nothing
        } catch let code as ExitCode where code == ExitStatus.interrupted.exitCode {
            // The command may have heard of it before this one did.
            return .interrupted
        } catch is CancellationError {
            return .interrupted
        } catch let missing as KinemaError where missing.code == .missingComponent {
            return .missing(missing)
        } catch {
            let (line, status) = Self.failure(error, path)
            return .failed(line, status)
        }
    }

    /// Runs the command with its results into the sink and our guard against signals as its own.
    private func write(_ path: String, _ options: [String], _ sink: some ResultSink) async throws {
        let task = task
        func writing() async throws {
            try await StandardOutput.$replacement.withValue(sink) { () async throws -> Void in
                try await task.run(path, options: options)
            }
        }
        try await Interruption.$current.withValue(interruption) { () async throws -> Void in try await writing() }
    }

    /// What an error reads like in one line without the file's own path, and its exit code.
    static func failure(_ error: any Error, _ path: String) -> (line: String, status: ExitStatus) {
        (line(error, path), status(error))
    }

    private static func line(_ error: any Error, _ path: String) -> String {
        switch error {
        case var error as KinemaError:
            let file = URL(filePath: path).standardizedFileURL.path
            if error.file.map({ URL(filePath: $0).standardizedFileURL.path }) == file { error.file = nil }
            return "\(error)"
        case let code as ExitCode: return "ended with exit code \(code.rawValue)"
        case let error as ValidationError: return error.message.split(separator: "\n").joined(separator: " ")
        default: return "\(error)".split(separator: "\n").first.map(String.init) ?? "failed"
        }
    }

    private static func status(_ error: any Error) -> ExitStatus {
        switch error {
        case let error as KinemaError: ExitStatus(error)
        case is ValidationError: .wrongUsage
        case let code as ExitCode: ExitStatus(rawValue: code.rawValue) ?? .failed
        default: .failed
        }
    }
}
