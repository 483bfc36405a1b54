import ArgumentParser
import Foundation
import Kinema

/// Works through a plan, several videos at a time, and keeps the manifest.
actor BatchRun {
    private let task: BatchTask
    private let options: [String]
    private let format: OutputFormat
    private let folder: URL
    private let mark: String
    private var manifest: BatchManifest
    private var journal: BatchJournal
    private var total = 0
    private(set) var counts: [BatchManifest.Status: Int] = [:]

    init(
        _ task: BatchTask, options: [String], format: OutputFormat, folder: URL, mark: String, manifest: BatchManifest,
        journal: BatchJournal
    ) {
        self.task = task
        self.options = options
        self.format = format
        self.folder = folder
        self.mark = mark
        self.manifest = manifest
        self.journal = journal
    }

    /// Works on everything; an interrupted run leaves what is not done to the next.
    func work(through plan: BatchPlan, jobs: Int, _ interruption: Interruption) async throws {
        total = plan.items.count + plan.suspects.count + plan.deadly.count
        for input in plan.deadly {
            let error = "kinema died \(BatchJournal.most) times while reading it; it is left out until it changes"
            try finish(input, status: .failed, seconds: 0, result: nil, error: error)
        }
        try await work(on: plan.items, jobs: jobs, interruption)
        try await work(on: plan.suspects, jobs: 1, interruption)
        try manifest.settle()
    }

    private func work(on items: [BatchPlan.Item], jobs: Int, _ interruption: Interruption) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = items[...]
            for _ in 0..<jobs {
                guard let item = rest.popFirst() else { break }
                group.addTask { try await self.work(on: item, interruption) }
            }
            while try await group.next() != nil {
                guard !interruption.isRaised, let item = rest.popFirst() else { continue }
                group.addTask { try await self.work(on: item, interruption) }
            }
        }
    }

    /// Runs the command on one video. Throws only when the folder of results cannot be written, or what every video
    /// needs is not installed.
    private func work(on item: BatchPlan.Item, _ interruption: Interruption) async throws {
        guard !interruption.isRaised else { return }
        try journal.begin(item.input.source)
        // The place's name without the format's ending, for what else the command writes: {} in its options.
        let stem = folder.appending(path: item.input.name).path
        let options = options.map { $0.replacing("{}", with: stem) } + ["--format", format.rawValue]
        let file = try ResultFileHandle(folder.appending(path: item.result))
        let started = ContinuousClock.now
        var wasInterrupted = false
        var (status, error) = (BatchManifest.Status.done, String?.none)
        do {
            try await run(item.input.path, options: options, into: file, interruption)
        } catch let code as ExitCode where code == ExitStatus.nothingFound.exitCode {
            status = .nothing
        } catch let code as ExitCode where code == ExitStatus.interrupted.exitCode {
            // The command may have heard of it before this one did.
            wasInterrupted = true
        } catch is CancellationError {
            wasInterrupted = true
        } catch let missing as KinemaError where missing.code == .missingComponent {
            // No other video would do better.
            file.discard()
            try journal.end(item.input.source)
            throw missing
        } catch let failure {
            (status, error) = (.failed, Self.line(failure, item.input))
        }
        if interruption.isRaised || wasInterrupted {
            // Whatever came of it is half of what was wanted.
            file.discard()
            try journal.end(item.input.source)
            return
        }
        if status == .failed { file.discard() } else { try file.commit() }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        try finish(item.input, status: status, seconds: seconds, result: error == nil ? item.result : nil, error: error)
    }

    /// Runs the command with its results into a file, its lines marked as the video's, and our guard as its own.
    private nonisolated func run(
        _ path: String, options: [String], into file: ResultFileHandle, _ interruption: Interruption
    ) async throws {
        let task = task
        func speaking() async throws {
            try await Console.$speaker.withValue(path) { () async throws -> Void in
                try await task.run(path, options: options)
            }
        }
        func writing() async throws {
            try await StandardOutput.$replacement.withValue(file) { () async throws -> Void in try await speaking() }
        }
        try await Interruption.$current.withValue(interruption) { () async throws -> Void in try await writing() }
    }

    private func finish(
        _ input: BatchInput, status: BatchManifest.Status, seconds: Double, result: String?, error: String?
    ) throws {
        let state = input.state
        try manifest.add(
            BatchManifest.Entry(
                source: input.source, status: status, seconds: (seconds * 1000).rounded() / 1000, result: result,
                error: error, options: mark, size: state?.size, modified: state?.modified))
        if seconds > 0 { try journal.end(input.source) }
        counts[status, default: 0] += 1
        if let error { Console.shared.line("kinema: \(input.path): \(error)") }
        let took = String(format: "%.1f s", seconds)
        try StandardOutput().line(
            "\(status.rawValue)\t\(took)\t\(PlainText.oneLine(input.path))\t\(result.map(PlainText.oneLine) ?? "-")")
        let done = counts.values.reduce(0, +)
        Console.shared.progress(done, of: total, note: "\(counts[.failed] ?? 0) failed")
    }

    /// What went wrong, without the video's own path, which stands beside it.
    private static func line(_ error: any Error, _ input: BatchInput) -> String {
        switch error {
        case var error as KinemaError:
            if error.file.map({ URL(filePath: $0).standardizedFileURL.path }) == input.source { error.file = nil }
            return "\(error)"
        case let code as ExitCode: return "ended with exit code \(code.rawValue)"
        default: return "\(error)".split(separator: "\n").first.map(String.init) ?? "failed"
        }
    }
}

/// What a batch does with each video: one of the commands, run as it is.
enum BatchTask: String, ExpressibleByArgument, CaseIterable, Sendable {
    case pose, count, coach, gesture, trajectories, toss, classify

    /// Poses are many, one line a frame; all else is one value.
    var format: OutputFormat { self == .pose ? .jsonl : .json }

    private var command: any AsyncParsableCommand.Type {
        switch self {
        case .pose: PoseCommand.self
        case .count: CountCommand.self
        case .coach: CoachCommand.self
        case .gesture: GestureCommand.self
        case .trajectories: TrajectoriesCommand.self
        case .toss: TossCommand.self
        case .classify: ClassifyCommand.self
        }
    }

    /// Throws as the command itself does when its options make no sense.
    func check(_ options: [String]) throws {
        _ = try parsed(options + ["--", "video.mp4"])
    }

    /// Throws what is wrong with the files that the options name.
    func checkFiles(_ options: [String]) throws {
        try (parsed(options + ["--", "video.mp4"]) as? any CheckedCommand)?.check()
    }

    /// Runs the command on a video to its end.
    func run(_ input: String, options: [String]) async throws {
        var command = try parsed(options + ["--", input])
        try await command.run()
    }

    private func parsed(_ arguments: [String]) throws -> any AsyncParsableCommand {
        do {
            return try command.parse(arguments)
        } catch {
            throw ValidationError("\(rawValue): \(command.message(for: error))")
        }
    }
}

/// A command whose options name files, which a batch looks at before it begins.
protocol CheckedCommand {
    /// Throws what is wrong with the files that the options name.
    func check() throws
}
