import ArgumentParser
import Foundation
import Kinema

/// Runs a command on one file and writes its results to a sink, for batches and for jobs from another program.
struct JobRunner: Sendable {
    let task: JobTask
    let interruption: Interruption
    /// Whether it runs beside others, each on about one core.
    var isOneOfSeveral = true

    enum Outcome: Sendable {
        case done
        /// The result is written; it reports that nobody or nothing was found.
        case nothing
        case interrupted
        /// A library or a model is missing, so every other file would fail too.
        case missing(KinemaError)
        /// A one-line error without the file's own path, and the command's exit code.
        case failed(String, ExitStatus)

        var isDone: Bool { if case .done = self { true } else { false } }

        /// Whether another attempt would end in the same way.
        var isFinal: Bool {
            switch self {
            case .done, .nothing, .failed: true
            case .interrupted, .missing: false
            }
        }
    }

    /// Runs the command; its lines on standard error begin with the file's path or another name.
    func run(_ path: String, as name: String? = nil, options: [String], into sink: some ResultSink) async -> Outcome {
        let outcome = await Console.$speaker.withValue(name ?? path) {
            await Parallelism.$isOneOfSeveral.withValue(isOneOfSeveral) { await attempt(path, options, sink) }
        }
        // After a signal, an error is not the file's fault.
        return interruption.isRaised ? .interrupted : outcome
    }

    private func attempt(_ path: String, _ options: [String], _ sink: some ResultSink) async -> Outcome {
        do {
            try await write(path, options, sink)
            return .done
        } catch let code as ExitCode where code == .success {
            return .done
        } catch let code as ExitCode where code == ExitStatus.nothingFound.exitCode {
            return .nothing
        } catch let code as ExitCode where code == ExitStatus.interrupted.exitCode {
            // The command may learn of the signal before this one does.
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

    /// Runs the command with its results redirected to the sink and with our signal handling.
    private func write(_ path: String, _ options: [String], _ sink: some ResultSink) async throws {
        let task = task
        func writing() async throws {
            try await StandardOutput.$replacement.withValue(sink) { () async throws -> Void in
                try await task.run(path, options: options)
            }
        }
        try await Interruption.$current.withValue(interruption) { () async throws -> Void in try await writing() }
    }

    static func failure(_ error: any Error, _ path: String) -> (line: String, status: ExitStatus) {
        (PlainText.oneLine(line(error, path)), status(error))
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
