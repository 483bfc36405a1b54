public import Foundation
import Synchronization

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

extension Decoder {
    package func refusal(_ text: String) -> DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
    }

    /// The object at this place; throws for an unknown key, with the known ones.
    package func object<Key: CodingKey & CaseIterable>(_ keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let known = keys.allCases.map(\.stringValue)
        let all = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        if let unknown = all.first(where: { !known.contains($0) }) {
            throw refusal(
                "has the key \"\(PlainText.prefix(unknown, bytes: 40))\", which is unknown; use one of "
                    + known.joined(separator: ", "))
        }
        return try container(keyedBy: keys)
    }
}

extension KeyedDecodingContainer {
    /// An error at a key, or at the object itself.
    package func refusal(_ key: Key?, _ text: String) -> DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: text))
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

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

/// Collects findings from every step of a run, so that steps neither print nor throw them.
public final class DiagnosticCollector: Sendable {
    private let findings = Mutex<[Diagnostic]>([])

    /// The maximum number of findings; later ones are dropped.
    package static let limit = 1000

    /// Creates an empty collector.
    public init() {}

    package func report(_ diagnostic: Diagnostic) {
        findings.withLock { if $0.count < Self.limit { $0.append(diagnostic) } }
    }

    /// The findings so far, in order.
    public var diagnostics: [Diagnostic] { findings.withLock { $0 } }
}
