import Foundation
import Kinema

struct JobService: Sendable {
    let interruption: Interruption
    private let lines = JobLinesHandle(longest: JobRequest.longestLine)

    init(interruption: Interruption) {
        self.interruption = interruption
    }

    /// Answers until the input ends or a signal arrives; a job waits in the pipe until a worker is free.
    func serve(jobs: Int) async throws {
        let interruption = interruption
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            while let line = await lines.next(until: { interruption.isRaised }) {
                group.addTask {
                    // One write per line, so answers of several jobs never mix.
                    try StandardOutput().write(await answer(to: line).line)
                }
                running += 1
                guard running == jobs else { continue }
                try await group.next()
                running -= 1
            }
            try await group.waitForAll()
        }
    }

    private func answer(to line: JobLinesHandle.Line) async -> JobAnswer {
        let started = ContinuousClock.now
        func answer(_ id: JobID?, _ ending: JobAnswer.Ending, isMissing: Bool = false) -> JobAnswer {
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            return JobAnswer(id: id, ending: ending, seconds: seconds, isMissing: isMissing)
        }
        guard case .text(let text) = line else {
            let error = "a job's line can have at most \(JobRequest.longestLine) bytes"
            return answer(nil, .failed(error, code: ExitStatus.wrongUsage.rawValue))
        }
        let request: JobRequest
        do {
            request = try JobRequest(text)
        } catch {
            let (line, status) = JobRunner.failure(error, "")
            return answer(JobRequest.id(of: text), .failed(line, code: status.rawValue))
        }
        let memory = ResultMemory()
        let runner = JobRunner(task: request.task, interruption: interruption)
        switch await runner.run(request.path, options: request.options + ["--format", "json"], into: memory) {
        case .done: return answer(request.id, .done(memory.result))
        case .nothing: return answer(request.id, .nothing(memory.result))
        case .interrupted:
            return answer(request.id, .failed("interrupted", code: ExitStatus.interrupted.rawValue))
        case .missing(let error):
            return answer(request.id, .failed("\(error)", code: ExitStatus(error).rawValue), isMissing: true)
        case .failed(let error, let status): return answer(request.id, .failed(error, code: status.rawValue))
        }
    }
}
