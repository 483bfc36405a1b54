import ArgumentParser
import Foundation

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
