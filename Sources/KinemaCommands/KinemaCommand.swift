public import ArgumentParser
import Foundation
import Kinema
import KinemaCore
import KinemaMedia

/// The command `kinema`, which analyses how people move.
public struct KinemaCommand: AsyncParsableCommand {
    /// The command's name, summary and subcommands.
    public static let configuration = CommandConfiguration(
        commandName: "kinema",
        abstract: "Analyses how people move in video: poses, repetitions, faults, gestures, throws.",
        discussion: """
            INPUT is a video or image file, a camera (camera, or camera:/dev/video0), a stream (rtsp://, http://, \
            https://), or - for standard input; count, coach, measure, classify and gesture also take pose files. With cameras and \
            streams, Kinema analyses the newest frame and counts the frames it drops, until Ctrl-C or the end of --for SECONDS. \
            Results go to standard output, everything else to standard error. Exit codes: 0 success, 1 failed, 2 nothing found, 64 usage error, 65 unreadable input, \
            130 interrupted. If the reader of a pipe closes it, as head does, the command exits with 0.
            """,
        version: KinemaVersion.text,
        subcommands: [
            PoseCommand.self, CountCommand.self, CoachCommand.self, TeachCommand.self, ExercisesCommand.self,
            MeasureCommand.self, GestureCommand.self,
            TrajectoriesCommand.self, TossCommand.self, TrainCommand.self, ClassifyCommand.self, EvaluateProgram.self,
            BatchCommand.self, ServeJobsCommand.self, WatchProgram.self, StudioProgram.self, HistoryProgram.self,
            SynthProgram.self, DemoCommand.self, DoctorCommand.self, ModelsCommand.self,
        ])

    /// Creates the command.
    public init() {}

    /// Without a subcommand, prints the usual first commands and where to find the others.
    public func run() async throws { try StandardOutput().line(Self.firstSteps) }

    private static let firstSteps = """
        Kinema analyses how people move in video. Start with one of these:

            kinema count squats.mp4 --overlay seen.mp4    the repetitions of any exercise, drawn on the video
            kinema coach squats.mp4                       depth, tempo and faults of each repetition
            kinema pose squats.mp4 --format jsonl         every joint of everyone, one line per frame
            kinema studio                                 camera, coach, history and review in the browser

        kinema --help lists every command, kinema COMMAND --help its options; kinema doctor checks the installation.
        """
}

/// The process of a program: what comes before its command and after it, and the contract's exit codes.
public enum CommandProcess {
    /// Writes help to standard output, and wrong usage as one line to standard error, as every error. Throws as
    /// writing to standard output does.
    private static func report(_ error: any Error, of root: any AsyncParsableCommand.Type) throws {
        Console.shared.endProgress()
        let text = root.fullMessage(for: error)
        guard !text.isEmpty else { return }
        guard root.exitCode(for: error) != .success else {
            try StandardOutput().line(text)
            return
        }
        var words = root.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
        if words.hasSuffix(".") { words.removeLast() }
        // A batch's options may name the help of the command that it runs.
        if !words.hasSuffix("--help"), let help = text.firstMatch(of: /See '(.+ --help)'/) {
            words += "; see \(help.output.1)"
        }
        Console.shared.line("kinema: " + words)
    }

    /// Sets up the process; a decoder process never returns. Call it before any thread exists.
    public static func begin() {
        ProcessCheck.openStandardStreams()
        HeapHandle.limit()
        DecoderService.runIfAsked(CommandLine.arguments)
        guard let problem = ProcessCheck.problem() else { return }
        FileHandle.standardError.write(Data("kinema: \(problem)\n".utf8))
        end(with: ExitStatus.failed.rawValue)
    }

    /// Runs the command of the process's arguments and ends the process with its exit code.
    public static func run(_ root: (some AsyncParsableCommand).Type) async -> Never {
        signal(SIGPIPE, SIG_IGN)
        // These signals become failed writes: a closed pipe, and a limit on the size of files.
        signal(SIGXFSZ, SIG_IGN)
        end(with: await status(of: root, Array(CommandLine.arguments.dropFirst()), bytes: ArgumentCheck.processBytes))
    }

    /// Ends the process without the libraries' own ends: those unload models that other threads still run, such as for a
    /// frame that was read ahead when the run was interrupted.
    static func end(with status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// Parses arguments, runs, and returns the contract's exit code; errors go to the console.
    package static func status(
        of root: (some AsyncParsableCommand).Type, _ arguments: [String], bytes: [[UInt8]]?
    ) async -> Int32 {
        do {
            do {
                try ArgumentCheck.check(arguments, bytes: bytes)
                var command = try root.parseAsRoot(arguments)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                return ExitStatus.done.rawValue
            } catch  where !(error is KinemaError || error is ClosedOutput || error is CancellationError) {
                // Help, the version, or wrong usage.
                try report(error, of: root)
                return root.exitCode(for: error).rawValue
            }
        } catch let error as KinemaError {
            Console.shared.line("kinema: \(error)")
            return ExitStatus(error).rawValue
        } catch is ClosedOutput {
            // The reader closed the pipe.
            Console.shared.endProgress()
            return ExitStatus.done.rawValue
        } catch is CancellationError {
            return ExitStatus.interrupted.rawValue
        } catch {
            return ExitStatus.failed.rawValue
        }
    }
}

enum ArgumentCheck {
    /// Throws for the first argument that is not UTF-8, or looks like a file's name but begins as options do, and for
    /// a first word that is no command.
    static func check(_ arguments: [String], bytes: [[UInt8]]?) throws {
        if let name = bytes?.first(where: { String(validating: $0, as: UTF8.self) == nil }) {
            throw KinemaError(
                .unreadableInput, "the name is not UTF-8; rename the file", file: String(decoding: name, as: UTF8.self))
        }
        if let name = arguments.prefix(while: { $0 != "--" }).first(where: isFileName) {
            let name = PlainText.oneLine(name)
            throw ValidationError("\(name) begins with a dash, as options do; if it is a file, write ./\(name)")
        }
        let commands = KinemaCommand.configuration.subcommands.map { $0._commandName } + ["help"]
        if let word = arguments.first, !word.hasPrefix("-"), !commands.contains(word) {
            let near = commands.map { (name: $0, steps: word.prefix(64).difference(from: $0).count) }
                .min { $0.steps < $1.steps }
            let (name, isFile) = (PlainText.name(word), FileManager.default.fileExists(atPath: word))
            let hint = near.flatMap { $0.steps <= 2 ? "; did you mean \($0.name)?" : nil }
            throw ValidationError(
                "there is no command \(name)" + (isFile ? "; did you mean kinema count \(name)?" : hint ?? ""))
        }
    }

    /// The bytes of the process's arguments after its own name; nil if unknown.
    static var processBytes: [[UInt8]]? {
        guard let line = FileManager.default.contents(atPath: "/proc/self/cmdline") else { return nil }
        return line.split(separator: 0, omittingEmptySubsequences: false).dropFirst().map(Array.init)
    }

    /// Whether an argument begins with a dash but cannot be an option or a negative number.
    private static func isFileName(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        if argument.hasPrefix("--") {
            return !argument.dropFirst(2).prefix { $0 != "=" }.allSatisfy {
                $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber)
            }
        }
        let rest = argument.dropFirst()
        return rest.count > 1 && !rest.allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
    }
}
