public import Foundation

/// What went wrong, where, and what the user can do about it.
public struct KinemaError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The kinds of failure; the command maps each to its exit code.
    public enum Code: String, Sendable, Hashable, Codable {
        /// The input is missing, damaged, or holds nothing that can be read.
        case unreadableInput
        /// The output cannot be made or written.
        case unwritableOutput
        /// A library or a model is not installed, or not the one expected.
        case missingComponent
        /// The caller asked for something that makes no sense.
        case invalidArgument
        /// This build or this system cannot do it.
        case unsupported
        /// An analysis step failed.
        case analysisFailed
    }

    /// The kind of failure.
    public var code: Code
    /// One line: what was wrong and what to do.
    public var message: String
    /// The file, device or address concerned.
    public var file: String?
    /// The moment in the stream, seconds from its first frame.
    public var time: TimeInterval?

    /// Makes an error from its kind, a one-line message, and where it happened.
    public init(_ code: Code, _ message: String, file: String? = nil, time: TimeInterval? = nil) {
        self.code = code
        self.message = message
        self.file = file
        self.time = time
    }

    /// The whole error in one line: file, time, message.
    public var description: String {
        var line = ""
        if let file { line += "\(file): " }
        if let time { line += "at \(String(format: "%.3f", time)) s: " }
        return line + message
    }

    /// The same line, as Foundation asks for it.
    public var errorDescription: String? { description }
}
