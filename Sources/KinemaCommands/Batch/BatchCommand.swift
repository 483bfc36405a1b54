import ArgumentParser
import Foundation
import Kinema

/// `kinema batch`: many videos, one result each, to be taken up again where it was left.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Runs one of the other commands on many videos; can be stopped and resumed.",
        discussion: """
            Each video gets a result file of its own in DIR, which holds what the command writes to standard output; \
            manifest.jsonl tells of each how it went. What follows -- goes to the command: \
            `kinema batch clips -o out --task count -- --people all --plot '{}.svg'`, where {} stands for DIR and the \
            video's name. Exit codes: 0 done, 1 some video failed, 2 none failed but nothing was found in any, \
            130 interrupted.
            """)

    @Argument(help: "Videos, and folders that are looked through for videos.")
    var paths: [String]

    @Option(name: .shortAndLong, help: "The folder for results; is made if it is not there.")
    var output: String

    @Option(help: "What to do: pose, count, coach, gesture, trajectories, toss or classify.")
    var task = BatchTask.count

    @Option(help: "What result files hold: text, json, jsonl or csv; by default jsonl for pose, json for the others.")
    var format: OutputFormat?

    @Flag(help: "Leave out what an earlier run did with the same options, if the video has not changed since.")
    var resume = false

    @Option(help: "How many videos at once; by default one for each two processors.")
    var jobs: Int?

    @Argument(parsing: .postTerminator, help: "Options of the command, after --.")
    var options: [String] = []

    func validate() throws {
        if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs takes 1 to 64") }
        for own in ["--format", "--help", "-h"] where options.contains(where: { $0 == own || $0.hasPrefix(own + "=") })
        {
            throw ValidationError("\(own) stands before --")
        }
        try task.check(options)
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let folder = try OutputFolder.make(output)
            let lock = try FolderLockHandle(folder)
            let counts = try await work(in: folder, interruption)
            Console.shared.endProgress()
            withExtendedLifetime(lock) {}
            guard !interruption.isRaised else {
                return Console.shared.line("kinema: interrupted; the same command with --resume goes on")
            }
            if counts[.failed] != nil { throw ExitStatus.failed.exitCode }
            if counts[.done] == nil, counts[.nothing] != nil { throw ExitStatus.nothingFound.exitCode }
        }
    }

    private func work(in folder: URL, _ interruption: Interruption) async throws -> [BatchManifest.Status: Int] {
        let inputs = BatchInput.find(paths, outside: folder)
        guard !inputs.isEmpty else {
            throw KinemaError(.unreadableInput, "there is no video in it", file: paths.joined(separator: ", "))
        }
        let format = format ?? task.format
        let manifest = try BatchManifest(in: folder, takesUp: resume)
        let journal = BatchJournal(in: folder, takesUp: resume)
        let mark = ([task.rawValue, format.rawValue] + options.map(Self.mark)).joined(separator: " ")
        let plan = BatchPlan(
            inputs, ending: format == .text ? "txt" : format.rawValue, options: mark, manifest: manifest,
            deaths: journal.deaths, folder: folder)
        if plan.skipped > 0 { Console.shared.line("kinema: \(plan.skipped) done before, left as they are") }
        let run = BatchRun(
            task, options: options, format: format, folder: folder, mark: mark, manifest: manifest, journal: journal)
        // A video keeps about two processors busy: one decodes and looks, one follows and judges.
        let processors = ProcessInfo.processInfo.activeProcessorCount
        try await run.work(through: plan, jobs: jobs ?? max(1, processors / 2), interruption)
        return await run.counts
    }

    /// An option with, where it names a file such as a classifier, what that file was like.
    private static func mark(_ option: String) -> String {
        guard let state = BatchInput(path: option, name: option).state else { return option }
        return "\(option)(\(state.size),\(state.modified))"
    }
}
