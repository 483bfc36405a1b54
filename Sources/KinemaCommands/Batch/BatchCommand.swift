import ArgumentParser
import Foundation
import Kinema

struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Runs a command on many videos; the run can be stopped and resumed.",
        discussion: """
            Each video gets its own result file in DIR, containing the command's standard output; manifest.jsonl \
            lists the outcome of each video. Options after -- go to the command, with {} standing for DIR and the video's name: \
            `kinema batch clips -o out --task count -- --people all --plot '{}.svg'`. Exit codes: 0 done, 1 some videos \
            failed, 2 none failed but nothing was found, 130 interrupted.
            """)

    // What follows -- ends up here too, since the parser allows one list of arguments; its first option divides them.
    @Argument(
        help: ArgumentHelp(
            "Videos, and folders to search for videos; after --, options for the command.", valueName: "paths"))
    var words: [String]

    @Option(name: .shortAndLong, help: "The folder for the results; it is created if needed.")
    var output: String

    @Option(help: "The command to run on each video.")
    var task = JobTask.count

    @Option(help: "The format of the result files. (default: jsonl for pose, json for the others)")
    var format: OutputFormat?

    @Flag(help: "Skip unchanged videos that an earlier run finished with the same options.")
    var resume = false

    @Option(help: "The number of videos to process at once, 1 to 64, or auto to measure it on the first videos.")
    var jobs = BatchJobs.auto

    @Flag(
        help: """
            For long videos: process one at a time on all cores, and keep its finished parts, so that --resume continues \
            within a video.
            """)
    var split = false

    @Option(
        help: ArgumentHelp(
            "Write the results of all videos into one table at the end (.csv or .jsonl).", valueName: "file"))
    var table: String?

    @Flag(help: "Only print what --resume would do: a line of JSON per video, with the SHA-256 of its content.")
    var plan = false

    private var paths: [String] { Array(words.prefix { !Self.isOption($0) }) }

    private var options: [String] { Array(words.dropFirst(paths.count)) }

    private static func isOption(_ argument: String) -> Bool { argument.hasPrefix("-") && argument != "-" }

    private var resultFormat: OutputFormat { format ?? task.format }

    func validate() throws {
        guard !paths.isEmpty else { throw ValidationError("Missing expected argument '<paths> ...'") }
        for own in ["--format", "--help", "-h"] where options.contains(where: { $0 == own || $0.hasPrefix(own + "=") })
        {
            throw ValidationError("\(own) must come before --")
        }
        try task.check(options + ["--format", resultFormat.rawValue] + (split ? ["--parts", "."] : []))
        guard !split || jobs == .auto else { throw ValidationError("--split and --jobs cannot be combined") }
        guard let table else { return }
        _ = try BatchTable(table)
        guard resultFormat == .json, task != .pose else {
            throw ValidationError(
                "--table needs one JSON value per video: it works neither with pose nor with another --format")
        }
    }

    func run() async throws {
        try task.checkFiles(options)
        guard !plan else {
            let folder = URL(filePath: output, directoryHint: .isDirectory)
            let journal = BatchJournal(in: folder, takesUp: true, keepsParts: split)
            let plan = try plan(in: folder, BatchManifest(reading: folder), journal)
            return try plan.write(task: task, options: options)
        }
        try await Interruption.guarding { interruption in
            let folder = try OutputFolder.make(output)
            let file = folder.appending(path: ".kinema-batch.lock").path
            guard let lock = try FileLockHandle(file, of: file) else {
                throw KinemaError(
                    .unwritableOutput, "another kinema batch is writing to this folder; wait or choose another folder",
                    file: folder.path)
            }
            let counts = try await work(in: folder, interruption)
            Console.shared.endProgress()
            withExtendedLifetime(lock) {}
            guard !interruption.isRaised else {
                return Console.shared.line("kinema: interrupted; run the same command with --resume to continue")
            }
            if counts[.failed] != nil { throw ExitStatus.failed.exitCode }
            if counts[.done] == nil, counts[.nothing] != nil { throw ExitStatus.nothingFound.exitCode }
        }
    }

    private func plan(in folder: URL, _ manifest: BatchManifest, _ journal: BatchJournal) throws -> BatchPlan {
        let inputs = BatchInput.find(paths, outside: folder)
        guard !inputs.isEmpty else {
            throw KinemaError(.unreadableInput, "no video found", file: paths.joined(separator: ", "))
        }
        return BatchPlan(
            inputs, ending: resultFormat == .text ? "txt" : resultFormat.rawValue, options: mark, manifest: manifest,
            journal: journal, folder: folder)
    }

    private func work(in folder: URL, _ interruption: Interruption) async throws -> [BatchManifest.Status: Int] {
        let manifest = try BatchManifest(reading: folder, takesUp: resume)
        let parts = folder.appending(path: ".kinema-batch.parts", directoryHint: .isDirectory)
        if !resume { try? FileManager.default.removeItem(at: parts) }
        var journal = BatchJournal(in: folder, takesUp: resume, keepsParts: split)
        journal.forgiveProgress(in: parts)
        let plan = try plan(in: folder, manifest, journal)
        let table = try table.map { try BatchTable($0) }
        try table?.check(plan, in: folder)
        try manifest.settle()
        let skipped = plan.items(.done).count
        if skipped > 0 {
            Console.shared.line("kinema: \(PlainText.counted(skipped, "video")) skipped, already done")
        }
        let rest = plan.items.filter { $0.state != .done }
        let run = BatchRun(
            JobRunner(task: task, interruption: interruption, isOneOfSeveral: !split), options: options,
            format: resultFormat, folder: folder,
            mark: mark, manifest: manifest, journal: journal, parts: split ? parts : nil,
            meter: BatchMeter(videos: rest.count, bytes: rest.reduce(0) { $0 + ($1.input.state?.size ?? 0) }))
        let tuning = WorkerTuning(
            split ? 1 : jobs.number, processors: ProcessInfo.processInfo.activeProcessorCount,
            memory: SystemMemory.available)
        try await run.work(through: plan, tuning)
        if !interruption.isRaised, plan.items(.deadly).isEmpty { try? FileManager.default.removeItem(at: parts) }
        if !interruption.isRaised { try await table?.write(plan, run.manifest, in: folder) }
        return await run.counts
    }

    private var mark: String {
        ([task.rawValue, resultFormat.rawValue] + options.map(Self.mark) + (split ? ["--split"] : []))
            .joined(separator: " ")
    }

    private static func mark(_ option: String) -> String {
        guard let state = BatchInput(path: option, name: option).state else { return option }
        return "\(option)(\(state.size),\(state.modified))"
    }
}

enum BatchJobs: ExpressibleByArgument, Equatable {
    case auto
    case fixed(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let number = Int(argument), (1...64).contains(number) {
            self = .fixed(number)
        } else {
            return nil
        }
    }

    var number: Int? { if case .fixed(let number) = self { number } else { nil } }
}

enum SystemMemory {
    /// The bytes that programs can still use without swapping; nil if unknown.
    static var available: Int? {
        let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
