public import Foundation

/// A finding that does not stop the work, such as "12 frames had no timestamp" or "no person in view for 4 s".
public struct Diagnostic: Hashable, Sendable, Codable, CustomStringConvertible {
    /// A short stable name such as `timestamps.repaired`.
    public var code: String
    /// One line for the user.
    public var message: String
    /// The file, device or address concerned.
    public var file: String?
    /// The time in the stream, in seconds from its first frame.
    public var time: TimeInterval?

    package init(_ code: String, _ message: String, file: String? = nil, time: TimeInterval? = nil) {
        (self.code, self.message, self.file, self.time) = (code, message, file, time)
    }

    /// The finding in one line: file, time, message.
    public var description: String { KinemaError.line(message, file: file, time: time) }
}
