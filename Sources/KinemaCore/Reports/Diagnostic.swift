public import Foundation

/// Something worth knowing that does not stop the work: "12 frames had no timestamp", "nobody in view for 4 s".
public struct Diagnostic: Hashable, Sendable, Codable, CustomStringConvertible {
    /// A short stable name such as `timestamps.repaired`.
    public var code: String
    /// One line for the user.
    public var message: String
    /// The file, device or address concerned.
    public var file: String?
    /// The moment in the stream, seconds from its first frame.
    public var time: TimeInterval?

    /// Makes a finding from its stable name, a one-line message, and where it was seen.
    public init(_ code: String, _ message: String, file: String? = nil, time: TimeInterval? = nil) {
        self.code = code
        self.message = message
        self.file = file
        self.time = time
    }

    /// The finding in one line: file, time, message.
    public var description: String {
        var line = ""
        if let file { line += "\(file): " }
        if let time { line += "at \(String(format: "%.3f", time)) s: " }
        return line + message
    }
}
