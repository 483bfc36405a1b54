import Foundation
import Kinema

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
