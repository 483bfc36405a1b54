import ArgumentParser

/// The command that a batch or a job runs on a video.
enum JobTask: String, ExpressibleByArgument, CaseIterable, Sendable {
    case pose, count, coach, measure, gesture, trajectories, toss, classify

    /// Poses are one line per frame; other results are one value.
    var format: OutputFormat { self == .pose ? .jsonl : .json }

    private var command: any AsyncParsableCommand.Type {
        switch self {
        case .pose: PoseCommand.self
        case .count: CountCommand.self
        case .coach: CoachCommand.self
        case .measure: MeasureCommand.self
        case .gesture: GestureCommand.self
        case .trajectories: TrajectoriesCommand.self
        case .toss: TossCommand.self
        case .classify: ClassifyCommand.self
        }
    }

    func check(_ options: [String]) throws { _ = try parsed(options + ["--", "video.mp4"]) }

    /// Throws for an option that the command does not have, with the nearest of those that it has.
    func checkExists(_ option: String) throws {
        do {
            try check([option])
        } catch let error as ValidationError where error.message.hasPrefix("Unknown option") {
            throw error
        } catch {
            // The option exists; it may lack its value.
        }
    }

    func checkFiles(_ options: [String]) throws {
        try (parsed(options + ["--", "video.mp4"]) as? any CheckedCommand)?.check()
    }

    func run(_ input: String, options: [String]) async throws {
        var command = try parsed(options + ["--", input])
        try await command.run()
    }

    private func parsed(_ arguments: [String]) throws -> any AsyncParsableCommand {
        do {
            return try command.parse(arguments)
        } catch let help where command.exitCode(for: help) == .success {
            throw ValidationError("an option that prints help cannot be used here; see kinema \(rawValue) --help")
        } catch {
            var line = command.message(for: error)
            if line.hasSuffix(".") { line.removeLast() }
            throw ValidationError("\(line); see kinema \(rawValue) --help")
        }
    }
}
