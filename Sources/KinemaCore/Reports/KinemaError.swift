public import Foundation

/// An error with its location and a remedy for the user.
public struct KinemaError: Error, Hashable, Sendable, Codable, CustomStringConvertible, LocalizedError {
    /// The kinds of failure; the commands map each to an exit code.
    public enum Code: String, Sendable, Hashable, Codable {
        /// The input is missing or damaged, or has no readable content.
        case unreadableInput
        /// The output cannot be created or written.
        case unwritableOutput
        /// A library or a model is missing or not the expected one.
        case missingComponent
        /// The request is invalid.
        case invalidArgument
        /// This build or this system does not support the request.
        case unsupported
        /// An analysis step failed.
        case analysisFailed
    }

    /// The kind of failure.
    public var code: Code
    /// One line with the problem and the remedy.
    public var message: String
    /// The file, device or address concerned.
    public var file: String?
    /// The time in the stream, in seconds from its first frame.
    public var time: TimeInterval?

    /// Creates an error from its kind, a one-line message, and where it happened.
    public init(_ code: Code, _ message: String, file: String? = nil, time: TimeInterval? = nil) {
        (self.code, self.message, self.file, self.time) = (code, message, file, time)
    }

    /// The whole error in one line: file, time, message.
    public var description: String { Self.line(message, file: file, time: time) }

    static func line(_ message: String, file: String?, time: TimeInterval?) -> String {
        (file.map { "\($0): " } ?? "") + (time.map { "at \(String(format: "%.3f", $0)) s: " } ?? "") + message
    }

    /// The same line, for Foundation.
    public var errorDescription: String? { description }

    /// The error of an invalid request.
    package static func invalid(_ message: String) -> KinemaError { KinemaError(.invalidArgument, message) }

    /// The error of an input that cannot be read.
    package static func unreadable(_ message: String, _ file: String) -> KinemaError {
        KinemaError(.unreadableInput, message, file: file)
    }
}
