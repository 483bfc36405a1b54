public import ArgumentParser
import Foundation
import KinemaCore

/// The command `kinema`: sees how people move.
public struct KinemaCommand: AsyncParsableCommand {
    /// The command's name, summary and subcommands.
    public static let configuration = CommandConfiguration(
        commandName: "kinema",
        abstract: "Sees how people move: poses, repetitions, overlays, from any video.",
        discussion: """
            INPUT is a video or picture file, a camera (camera, or camera:/dev/video0), a stream (rtsp://, http://, \
            https://), or - for standard input. Of cameras and streams the newest frame is analysed, and what is dropped \
            is counted; Ctrl-C or --for SECONDS ends them. Results go to standard output, everything else \
            to standard error. Exit codes: 0 done, 1 failed, 2 nobody found, 64 wrong usage, 65 unreadable input, \
            130 interrupted. A reader that has seen enough, such as head, ends a command quietly with 0.
            """,
        version: "0.1.0",
        subcommands: [
            PoseCommand.self, CountCommand.self, CoachCommand.self, ExercisesCommand.self, GestureCommand.self,
            TrajectoriesCommand.self, TossCommand.self, TrainCommand.self, ClassifyCommand.self, EvaluateCommand.self,
            BatchCommand.self, StudioCommand.self, HistoryCommand.self, SynthCommand.self, DemoCommand.self,
            DoctorCommand.self, ModelsCommand.self, BenchPartsCommand.self,
            BenchContoursCommand.self, BenchRegistrationCommand.self,
        ])

    /// Makes the command.
    public init() {}

    /// A usage that was asked for goes to standard output, one that was not to standard error.
    private static func tell(_ error: any Error) {
        Console.shared.endProgress()
        let text = fullMessage(for: error)
        guard !text.isEmpty else { return }
        if exitCode(for: error) == .success {
            try? StandardOutput().line(text)
        } else {
            Console.shared.lines(text)
        }
    }

    /// Parses the process's arguments, runs, and ends the process with the contract's exit code.
    public static func runProcess() async -> Never {
        // A reader that goes away shows as a failed write, not as a silent death.
        signal(SIGPIPE, SIG_IGN)
        // The same for a limit on the size of files: it ends like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            Foundation.exit(ExitStatus.done.rawValue)
        } catch let error as KinemaError {
            Console.shared.line("kinema: \(error)")
            Foundation.exit(ExitStatus(error).rawValue)
        } catch is ClosedOutput {
            // What was asked for has been read, or nobody wants the rest.
            Console.shared.endProgress()
            Foundation.exit(ExitStatus.done.rawValue)
        } catch is CancellationError {
            Foundation.exit(ExitStatus.interrupted.rawValue)
        } catch {
            tell(error)
            Foundation.exit(exitCode(for: error).rawValue)
        }
    }
}
