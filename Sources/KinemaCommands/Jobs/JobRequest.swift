import ArgumentParser
import Foundation
import Kinema
import KinemaCore

enum JobID: Decodable, Hashable, Sendable {
    case text(String)
    case number(Int)

    /// The longest text in bytes.
    static let longestText = 256

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
            self = .number(number)
            return
        }
        let text = try value.decode(String.self)
        guard text.utf8.count <= Self.longestText else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "too long")
        }
        self = .text(text)
    }
}

/// The command that a batch or a job runs on a video.
package enum JobTask: String, ExpressibleByArgument, CaseIterable, Sendable {
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

    package func check(_ options: [String]) throws { _ = try parsed(options + ["--", "video.mp4"]) }

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

/// A job request: `{"id": …, "task": "count", "path": …, "options": […]}`.
struct JobRequest {
    var id: JobID
    var task: JobTask
    var path: String
    var options: [String]

    /// The longest line in bytes: a path and options of the longest kind, escaped.
    static let longestLine = 1 << 16
    /// The longest path in bytes (`PATH_MAX` of Linux), and the longest option.
    static let longestWord = 4096
    static let mostOptions = 64

    /// Options that neither write nor name a camera or an address; a task refuses those that are not its own.
    static let allowedOptions: Set = [
        // How bodies and hands are found.
        "--algorithm", "--detect-every", "--detector", "--device", "--hands", "--jobs", "--joint-threshold",
        "--local-search-radius", "--matching-joint-distance", "--max-hands", "--max-people", "--max-poses", "--model",
        "--no-bodies", "--part", "--part-length", "--pose-threshold",
        "--precision", "--raw", "--refinement-steps", "--search",
        // How they are analysed.
        "--alternating", "--aspect", "--board", "--classifier", "--confidence", "--coordinates", "--direction",
        "--downsample", "--every", "--exercise", "--filter", "--floor", "--for", "--fps", "--height", "--ignore-joints",
        "--interval", "--labels",
        "--maximum-radius",
        "--minimum-radius", "--mirror", "--people", "--person", "--rotate", "--rule", "--scale", "--real-rate",
        "--select-joints", "--source-rate",
        "--speed", "--test", "--threshold", "--treadmill", "--view", "--window-rate",
    ]

    private struct Line: Decodable {
        var task, path: String
        var options: [String]?
    }

    /// The job's identifier in a line, if it has one, so that an invalid job can be answered too.
    static func id(of line: [UInt8]) -> JobID? {
        struct Named: Decodable { var id: JobID }
        return try? JSONDecoder().decode(Named.self, from: Data(line)).id
    }

    /// Reads a line; throws a one-line error for an invalid job.
    init(_ line: [UInt8]) throws {
        guard let id = Self.id(of: line), let asked = try? JSONDecoder().decode(Line.self, from: Data(line)) else {
            throw KinemaError(
                .invalidArgument,
                "not a job; a job is an object with id (a string or an integer), task, path and optionally options (a list of strings)"
            )
        }
        guard let task = JobTask(rawValue: asked.task) else {
            let tasks = JobTask.allCases.map(\.rawValue).joined(separator: ", ")
            throw KinemaError(.invalidArgument, "unknown task \(asked.task); the tasks are \(tasks)")
        }
        (self.id, self.task) = (id, task)
        path = try Self.file(asked.path)
        options = try Self.checked(asked.options ?? [], of: task)
        // Refuse options of other tasks before the file is opened.
        try task.check(options + ["--format", "json"])
    }

    /// An absolute path, which cannot be mistaken for an option, a camera, an address or standard input.
    /// What the command itself refuses, a folder or nothing at all, is left to it.
    private static func file(_ path: String) throws -> String {
        guard !path.isEmpty, path.utf8.count <= longestWord, !path.utf8.contains(0) else {
            throw KinemaError(.unreadableInput, "path must have 1 to \(longestWord) bytes and no NUL")
        }
        guard path.hasPrefix("/") else {
            throw KinemaError(.invalidArgument, "path must be an absolute path, which begins with /")
        }
        guard !BoundedFile.isSpecial(URL(filePath: path)) else { throw KinemaError(.unreadableInput, "is not a file") }
        return path
    }

    private static func checked(_ options: [String], of task: JobTask) throws -> [String] {
        guard options.count <= mostOptions else {
            throw KinemaError(.invalidArgument, "a job can have at most \(mostOptions) options")
        }
        for option in options {
            guard option.utf8.count <= longestWord, !option.utf8.contains(0) else {
                throw KinemaError(.invalidArgument, "an option can have at most \(longestWord) bytes and no NUL")
            }
            let name = String(option.prefix { $0 != "=" })
            guard option.hasPrefix("-"), Double(option) == nil, !allowedOptions.contains(name) else { continue }
            let shown = PlainText.prefix(name, bytes: 80)
            try task.checkExists(shown)
            throw KinemaError(
                .invalidArgument,
                "a job cannot use \(shown): jobs write no files, open no cameras or addresses, and answer in JSON")
        }
        return options
    }
}

/// The answer to a job: `{"id": …, "status": …, "result": {…}, "seconds": …}`, or with `error` and `code`.
struct JobAnswer {
    var id: JobID?
    var outcome: JobRunner.Outcome
    var result: [UInt8]
    var seconds: Double

    var line: [UInt8] {
        var json = JSONText()
        json.object { json in
            json.key("id")
            switch id {
            case .text(let text)?: json.string(text)
            case .number(let number)?: json.integer(number)
            case nil: json.null()
            }
            switch outcome {
            case .done, .nothing:
                json.field("status", outcome.isDone ? "done" : "nothing")
                json.key("result")
                // Line breaks in JSON can only be layout.
                let result = result.filter { $0 != UInt8(ascii: "\n") }
                if result.isEmpty { json.null() } else { json.raw(result) }
            case .interrupted: Self.write("interrupted", .interrupted, to: &json)
            case .missing(let error):
                Self.write("\(error)", ExitStatus(error), to: &json)
                // Every other job will fail too.
                json.field("missing", true)
            case .failed(let error, let status): Self.write(error, status, to: &json)
            }
            json.field("seconds", seconds, decimals: 3)
        }
        json.newline()
        return json.bytes
    }

    private static func write(_ error: String, _ status: ExitStatus, to json: inout JSONText) {
        json.field("status", "failed")
        json.field("error", error)
        json.field("code", Int(status.rawValue))
    }
}
