import ArgumentParser
import Foundation
import Kinema

/// `kinema batch`: many videos, one result each, to be taken up again where it was left.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Runs a command on many videos; can be stopped and resumed.",
        discussion: """
            Each video gets its own result file in DIR, with what the command writes to standard output; manifest.jsonl \
            lists how each video went. Options after -- go to the command, with {} standing for DIR and the video's name: \
            `kinema batch clips -o out --task count -- --people all --plot '{}.svg'`. Exit codes: 0 done, 1 some videos \
            failed, 2 none failed but nothing was found, 130 interrupted.
            """)

    @Argument(help: "Videos, and folders to search for videos.")
    var paths: [String]

    @Option(name: .shortAndLong, help: "The folder for the results; it is created if needed.")
    var output: String

    @Option(help: "The command to run on each video.")
    var task = BatchTask.count

    @Option(help: "The format of the result files. (default: jsonl for pose, json for the others)")
    var format: OutputFormat?

    @Flag(help: "Skip unchanged videos that an earlier run finished with the same options.")
    var resume = false

    @Option(help: "The number of videos to work on at once. (default: half the number of processors)")
    var jobs: Int?

    @Argument(parsing: .postTerminator, help: "Options for the command, after --.")
    var options: [String] = []

    func validate() throws {
        if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs takes 1 to 64") }
        for own in ["--format", "--help", "-h"] where options.contains(where: { $0 == own || $0.hasPrefix(own + "=") })
        {
            throw ValidationError("\(own) goes before --")
        }
        try task.check(options + ["--format", (format ?? task.format).rawValue])
    }

    func run() async throws {
        try task.checkFiles(options)
        try await Interruption.guarding { interruption in
            let folder = try OutputFolder.make(output)
            let lock = try FolderLockHandle(folder)
            let counts = try await work(in: folder, interruption)
            Console.shared.endProgress()
            withExtendedLifetime(lock) {}
            guard !interruption.isRaised else {
                return Console.shared.line("kinema: interrupted; run the same command with --resume to go on")
            }
            if counts[.failed] != nil { throw ExitStatus.failed.exitCode }
            if counts[.done] == nil, counts[.nothing] != nil { throw ExitStatus.nothingFound.exitCode }
        }
    }

    private func work(in folder: URL, _ interruption: Interruption) async throws -> [BatchManifest.Status: Int] {
        let inputs = BatchInput.find(paths, outside: folder)
        guard !inputs.isEmpty else {
            throw KinemaError(.unreadableInput, "no video found", file: paths.joined(separator: ", "))
        }
        let format = format ?? task.format
        let manifest = try BatchManifest(in: folder, takesUp: resume)
        let journal = BatchJournal(in: folder, takesUp: resume)
        let mark = ([task.rawValue, format.rawValue] + options.map(Self.mark)).joined(separator: " ")
        let plan = BatchPlan(
            inputs, ending: format == .text ? "txt" : format.rawValue, options: mark, manifest: manifest,
            deaths: journal.deaths, folder: folder)
        if plan.skipped > 0 {
            Console.shared.line("kinema: \(PlainText.counted(plan.skipped, "video")) skipped, already done")
        }
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
