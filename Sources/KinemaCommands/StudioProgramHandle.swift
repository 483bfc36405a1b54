import ArgumentParser
import Foundation
import KinemaCore

/// The program `kinema-studio` beside this one: it holds every command, also those that need a server or a database.
enum StudioProgramHandle {
    private static let name = "kinema-studio"

    /// Becomes that program, with this process's arguments; throws if it is not there.
    static func become() throws -> Never {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let path = URL(filePath: own).deletingLastPathComponent().appending(path: name).path
        // SAFETY: the array ends with nil, and its strings live until the process is replaced.
        var words = CommandLine.arguments.map { strdup($0) } + [nil]
        execv(path, &words)
        words.forEach { free($0) }
        let reason = access(path, F_OK) == 0 ? String(cString: strerror(errno)) : "it is not there"
        throw KinemaError(
            .missingComponent,
            "this command is part of \(name), beside kinema (\(reason)); build it with "
                + "swift build -c release --product \(name), or install a package, which has both",
            file: path)
    }
}

/// A command that `kinema-studio` runs: here it is listed, and started with whatever follows its name.
struct StudioProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio", abstract: "Serves the studio: a web page that analyses people live.", helpNames: [])

    @Argument(parsing: .captureForPassthrough) var words: [String] = []

    func run() throws { try StudioProgramHandle.become() }
}

struct HistoryProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Lists, shows, exports and deletes the sessions that the studio saved.",
        helpNames: [])

    @Argument(parsing: .captureForPassthrough) var words: [String] = []

    func run() throws { try StudioProgramHandle.become() }
}

struct WatchProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watches several cameras and streams at once, each with its own task.",
        helpNames: [])

    @Argument(parsing: .captureForPassthrough) var words: [String] = []

    func run() throws { try StudioProgramHandle.become() }
}

struct EvaluateProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measures accuracy against labels or rendered ground truth.", helpNames: [])

    @Argument(parsing: .captureForPassthrough) var words: [String] = []

    func run() throws { try StudioProgramHandle.become() }
}

struct SynthProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth",
        abstract: "Renders clips of people exercising and writes the exact ground truth beside them.", helpNames: [])

    @Argument(parsing: .captureForPassthrough) var words: [String] = []

    func run() throws { try StudioProgramHandle.become() }
}
