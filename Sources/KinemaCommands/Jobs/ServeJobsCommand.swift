import ArgumentParser
import Kinema

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
            where code is the command's exit code. With --jobs above 1, answers arrive in the order in which the jobs end.

            Jobs cannot write files or open cameras or addresses; a program that sends jobs can read every file that you can read. \
            A job that fails never ends the command. It exits with 0 at the end of the input. On SIGTERM it answers the current \
            jobs with code 130 and exits with 130.
            """)

    @Option(help: "The number of jobs to run at once, 1 to 64.")
    var jobs = 1

    func validate() throws {
        try require(jobs, in: 1...64, "--jobs")
    }

    func run() async throws {
        let jobs = jobs
        try await Interruption.guarding { interruption in
            try await JobService(interruption: interruption).serve(jobs: jobs)
        }
    }
}
