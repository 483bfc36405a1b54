import Foundation
import KinemaTestSupport
import Testing

/// The command: run within the tests, with the models they have loaded already, or as a process of its own.
///
/// What a process inherits (environment, folder, descriptors) or ends by (signals) needs a process: one is started where
/// `environment` or `folder` is set, by `start` and by `shell`, and where `isApart` says so.
struct Program {
    /// How a run ended and what it wrote.
    struct Outcome {
        var status: Int32
        var output: Data
        var complaint: String
        var hung: Bool

        var text: String { String(decoding: output, as: UTF8.self) }
        /// The lines of standard output.
        var lines: [String] { text.split(separator: "\n").map(String.init) }
        /// The lines of standard error.
        var complaints: [String] { complaint.split(separator: "\n").map(String.init) }
    }

    /// `kinema` lies beside the tests' own executable.
    static let url = URL(
        filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
    ).deletingLastPathComponent().appending(path: "kinema")

    var environment: [String: String] = [:]
    var folder: URL?
    /// Whether the command is a process in any case.
    var isApart = false
    /// No run of a test takes longer; one that does hangs.
    var limit = Duration.seconds(300)

    /// Runs the command with the arguments to its end.
    static func run(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> Outcome {
        try await Program().run(arguments, sourceLocation: sourceLocation)
    }

    func run(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws -> Outcome {
        guard environment.isEmpty, folder == nil, !isApart else {
            return try await start(arguments).outcome(within: limit, sourceLocation: sourceLocation)
        }
        return await InnerProgram(arguments).outcome(within: limit, sourceLocation: sourceLocation)
    }

    func start(_ arguments: [String]) throws -> RunningProgram {
        guard FileManager.default.isExecutableFile(atPath: Self.url.path) else {
            throw MissingPart(reason: "\(Self.url.path) is not built; run script/test, or swift build --product kinema")
        }
        return try RunningProgram(Self.url, arguments, environment: environment, folder: folder)
    }

    /// Runs a shell script in which `$kinema` is the command and `$1` … are the arguments.
    static func shell(
        _ script: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        try await shell(script, arguments, sourceLocation: sourceLocation)
    }

    static func shell(
        _ script: String, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        // `timeout` ends the whole group, also what the shell started.
        let words = ["--signal=KILL", "100", "bash", "-c", script, "bash"] + arguments
        let running = try RunningProgram(
            URL(filePath: "/usr/bin/timeout"), words, environment: ["kinema": url.path], folder: nil)
        return try await running.outcome(within: .seconds(110), sourceLocation: sourceLocation)
    }
}
