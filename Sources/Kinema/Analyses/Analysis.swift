public import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaMedia
import KinemaMotion

/// One capability of Kinema, run frame by frame: a configuration in, frames in, events and a result out.
///
/// An analysis reads no file, writes none and asks no clock, so the same value serves a command, a live session, a batch
/// and a test. Give it frames in order of time, from `pipeline`; call `finish()` after the last one.
public protocol Analysis: Sendable {
    /// What the analysis found, as it is written to files.
    associatedtype Result: AnalysisResult

    /// How people and hands are found in the frames.
    var pipeline: PosePipeline { get }
    /// Takes the next frame and returns what became certain with it.
    ///
    /// Throws `.missingComponent` when a model is not installed.
    mutating func take(_ frame: PosedFrame) async throws -> [AnalysisEvent]
    /// Ends the stream and returns what was still open.
    mutating func finish() -> [AnalysisEvent]
    /// What was found so far.
    var result: Result { get }
    /// What is drawn on the newest frame, bottom first.
    var layers: [OverlayLayer] { get }
    /// The result so far in a few words, for a progress bar.
    var summary: String { get }
}

/// What an analysis found: a `Codable` value that also reads as text and as a table.
public protocol AnalysisResult: Codable, Sendable {
    /// The names of the table's columns.
    static var columns: [String] { get }
    /// The table's rows, one cell a column.
    var rows: [[String]] { get }
    /// The lines for people; `run` says what was read and how fast.
    func lines(_ run: AnalysisRun) -> [String]
}

/// What was read for a result.
public struct AnalysisRun: Sendable, Hashable {
    /// What was read, as people call it; never a secret.
    public var source: String
    /// The length of what was read, seconds.
    public var duration: TimeInterval = 0
    /// How many frames were analysed.
    public var frames = 0
    /// How many of them showed a person or a hand.
    public var framesWithSomeone = 0
    /// What became of a live source's frames; nil for files, which lose none.
    public var live: FrameTally?
    /// How long the analysis took, seconds.
    public var seconds: TimeInterval = 0

    /// Makes a run of nothing yet.
    public init(source: String) { self.source = source }

    /// Counts a frame that was analysed.
    public mutating func add(_ frame: PosedFrame, until end: TimeInterval) {
        frames += 1
        duration = end
        if !frame.poses.isEmpty || !frame.hands.isEmpty { framesWithSomeone += 1 }
    }

    /// The source as it may stand on a terminal.
    var name: String { PlainText.oneLine(source) }

    /// How much was read, and how fast: "8.0 s (240 frames, 180.2 frames/s)".
    var extent: String {
        let speed = seconds > 0 ? (Double(frames) / seconds).text(1) : "-"
        return "\(duration.text(1)) s (\(PlainText.counted(frames, "frame")), \(speed) frames/s)"
    }
}

/// A result with what was read for it: the JSON, CSV and text that commands and the studio write.
public struct AnalysisReport<Result: AnalysisResult>: Encodable, Sendable {
    /// What was read.
    public var run: AnalysisRun
    /// What was found.
    public var result: Result

    private enum Key: String, CodingKey { case source, duration, frames, live }

    /// Makes a report.
    public init(run: AnalysisRun, result: Result) { (self.run, self.result) = (run, result) }

    /// Writes the result's keys with `source`, `duration`, `frames` and, for live sources, `live` beside them.
    public func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(run.source, forKey: .source)
        try values.encode(run.duration.rounded(to: 6), forKey: .duration)
        try values.encode(run.frames, forKey: .frames)
        try values.encodeIfPresent(run.live, forKey: .live)
    }

    /// The JSON in one line, keys in alphabetical order.
    public func json() throws -> Data { try ResultCoding.encoder.encode(self) }

    /// The text for people, without the last line's end.
    public var text: String { result.lines(run).joined(separator: "\n") }

    /// The table, every line ended.
    public var csv: String {
        ([Result.columns] + result.rows).map { $0.map(DelimitedText.cell).joined(separator: ",") + "\n" }.joined()
    }
}

/// Something that became certain, told as soon as it is known; in JSON Lines one line each.
public enum AnalysisEvent: Sendable, Hashable, Encodable {
    /// A repetition was counted.
    case repetition(CountedRepetition)
    /// A repetition of an exercise was completed.
    case coached(CoachedResult)
    /// What the hands of a frame do.
    case hands(HandFrame)
    /// A pinch ended.
    case pinch(PinchResult)
    /// A flight ended.
    case flight(FlightResult)
    /// A bean bag was thrown.
    case thrown(ThrowResult)
    /// A classifier judged the last moments.
    case prediction(PredictionResult)
    /// A stretch of one action ended.
    case segment(SegmentResult)

    private enum Key: String, CodingKey {
        case repetition, pinch, segment
        case thrown = "throw"
    }

    /// Writes the event under its name, or as it is where it has a line of its own kind.
    public func encode(to encoder: any Encoder) throws {
        func named(_ key: Key, _ value: some Encodable) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(value, forKey: key)
        }
        switch self {
        case .repetition(let one): try named(.repetition, one)
        case .coached(let one): try named(.repetition, one)
        case .hands(let frame): try frame.encode(to: encoder)
        case .pinch(let one): try named(.pinch, one)
        case .flight(let one): try one.encode(to: encoder)
        case .thrown(let one): try named(.thrown, one)
        case .prediction(let one): try one.encode(to: encoder)
        case .segment(let one): try named(.segment, one)
        }
    }

    /// The event as a line of JSON, without the line's end.
    public func json() throws -> Data { try ResultCoding.encoder.encode(self) }
}

/// How results are written as JSON.
enum ResultCoding {
    /// The same value is always the same text.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// A value whose absence is written as null, so that its key is always there.
@propertyWrapper
public struct Nullable<Value: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
    /// The value; nil is written as null.
    public var wrappedValue: Value?

    /// Wraps a value.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Reads a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    /// Writes the value or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension Double {
    /// The nearest number with so many decimals; what is not finite becomes 0, since JSON has no word for it.
    func rounded(to decimals: Int) -> Double {
        guard isFinite else { return 0 }
        let scale = pow(10, Double(decimals))
        guard abs(self) * scale < 9e15 else { return self }
        return (self * scale).rounded() / scale
    }

    /// The number with so many decimals.
    func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension CGPoint {
    /// The point as JSON writes it: x and y, five decimals.
    var pair: [Double] { [Double(x).rounded(to: 5), Double(y).rounded(to: 5)] }
}
