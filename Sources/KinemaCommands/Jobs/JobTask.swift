import ArgumentParser
import Foundation
import Kinema

/// What is done with a video of a batch or of a job: one of the commands, run as it is.
enum JobTask: String, ExpressibleByArgument, CaseIterable, Sendable {
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
