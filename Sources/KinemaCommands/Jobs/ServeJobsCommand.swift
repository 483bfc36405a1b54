import ArgumentParser
import Foundation
import Kinema
package import KinemaCore
import Synchronization

struct ServeJobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-jobs", abstract: "Runs jobs for another program: one line in, one line out.",
        discussion: """
            Reads one job per line from standard input and writes one answer per line to standard output, both in JSON; models are \
            loaded once. A job is {"id":7,"task":"count","path":"/clips/a.mp4","options":["--people","all"]}: id is a string or \
            an integer, path the absolute path of a file, options those of the command; the tasks are \
            \(JobTask.allCases.map(\.rawValue).joined(separator: ", ")). An answer is \
            {"id":7,"status":"done","result":{…},"seconds":1.2}, where result is what the command writes with --format json and \
            status may also be nothing (no person was found), or {"id":7,"status":"failed","error":"…","code":65,"seconds":0.1}, \
            where code is the command's exit code. By default one job at a time uses all cores. With --jobs above 1, each uses about \
            one core, unless its options contain --jobs, and answers arrive in the order in which jobs finish.

            Jobs cannot write files or open cameras or addresses; a program that sends jobs can read every file that you can read. \
            A job that fails never ends the command. It exits with 0 at the end of the input. On SIGTERM it answers the current \
            jobs with code 130 and exits with 130.
            """)

    @Option(help: "The number of jobs to run at once, 1 to 64.")
    var jobs = 1

    func validate() throws { try require(jobs, in: 1...64, "--jobs") }

    func run() async throws {
        let jobs = jobs
        try await Interruption.guarding { interruption in
            try await JobService(interruption: interruption).serve(jobs: jobs)
        }
    }
}

struct JobService: Sendable {
    let interruption: Interruption
    private let lines = JobLinesHandle(longest: JobRequest.longestLine)

    /// Answers until the input ends or a signal arrives; a job waits in the pipe until a worker is free.
    func serve(jobs: Int) async throws {
        let interruption = interruption
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            while let line = await lines.next(until: { interruption.isRaised }) {
                group.addTask {
                    let answer = await answer(to: line, isOneOfSeveral: jobs > 1)
                    do {
                        // One write per line, so answers of several jobs never mix.
                        try StandardOutput().write(answer.line)
                    } catch {
                        // No answer can be written: the other jobs end, and no further line is read.
                        _ = interruption.raise()
                        throw error
                    }
                }
                running += 1
                guard running == jobs else { continue }
                try await group.next()
                running -= 1
            }
            try await group.waitForAll()
        }
    }

    private func answer(to line: JobLinesHandle.Line, isOneOfSeveral: Bool) async -> JobAnswer {
        let started = ContinuousClock.now
        func answer(_ id: JobID?, _ outcome: JobRunner.Outcome, _ result: [UInt8] = []) -> JobAnswer {
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            return JobAnswer(id: id, outcome: outcome, result: result, seconds: seconds)
        }
        guard case .text(let text) = line else {
            return answer(nil, .failed("a job's line can have at most \(JobRequest.longestLine) bytes", .wrongUsage))
        }
        let request: JobRequest
        do {
            request = try JobRequest(text)
        } catch {
            let (line, status) = JobRunner.failure(error, "")
            return answer(JobRequest.id(of: text), .failed(line, status))
        }
        let memory = ResultMemory()
        let runner = JobRunner(task: request.task, interruption: interruption, isOneOfSeveral: isOneOfSeveral)
        let outcome = await runner.run(request.path, options: request.options + ["--format", "json"], into: memory)
        return answer(request.id, outcome, memory.result)
    }
}

/// Runs a command on one file and writes its results to a sink, for batches and for jobs from another program.
package struct JobRunner: Sendable {
    let task: JobTask
    let interruption: Interruption
    /// Whether it runs beside others, each on about one core.
    var isOneOfSeveral: Bool

    package init(task: JobTask, interruption: Interruption, isOneOfSeveral: Bool = true) {
        (self.task, self.interruption, self.isOneOfSeveral) = (task, interruption, isOneOfSeveral)
    }

    package enum Outcome: Sendable {
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
    package func run(_ path: String, as name: String? = nil, options: [String], into sink: some ResultSink) async
        -> Outcome
    {
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

/// A command whose options name files to check in advance.
protocol CheckedCommand {
    func check() throws
}

final class ResultMemory: ResultSink {
    private let bytes = Mutex<[UInt8]>([])

    /// The largest result in bytes: the poses of one person in some hours of video.
    static let largest = 64 << 20

    var result: [UInt8] { bytes.withLock { $0 } }

    func write(_ more: [UInt8]) throws {
        try bytes.withLock { bytes in
            guard bytes.count + more.count <= Self.largest else {
                throw KinemaError(
                    .unsupported, "the result is larger than \(Self.largest >> 20) MiB; kinema batch writes any size")
            }
            bytes += more
        }
    }
}
