public import Foundation
public import KinemaCore
public import KinemaDraw
import KinemaMedia
import KinemaMotion

/// One capability of Kinema, run frame by frame: a configuration and frames in, events and a result out.
///
/// An analysis reads and writes no files and uses no clock, so the same value serves a command, a live session, a batch
/// and a test. Give it frames from `pipeline` in time order, and call `finish()` after the last one.
public protocol Analysis: Sendable {
    /// What the analysis found, in the form written to files.
    associatedtype Result: AnalysisResult

    /// How people and hands are found in the frames.
    var pipeline: PosePipeline { get }
    /// Takes the next frame and returns the events that became certain with it.
    ///
    /// Throws `.missingComponent` when a model is not installed.
    mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent]
    /// Ends the stream and returns the remaining events.
    mutating func finish() -> [AnalysisEvent]
    /// The result so far.
    var result: Result { get }
    /// The layers to draw on the newest frame, bottom first.
    var layers: [OverlayLayer] { get }
    /// The result so far in a few words, for a progress bar.
    var summary: String { get }
    /// For how many seconds somebody, or a hand, has to be in view before anything can be found.
    var neededSeconds: Double { get }
}

extension Analysis {
    /// Nothing, for analyses that a single frame is enough for.
    public var neededSeconds: Double { 0 }
}

/// A `Codable` result that also reads as text and as a table.
public protocol AnalysisResult: Codable, Sendable {
    /// The names of the table's columns.
    static var columns: [String] { get }
    /// The table's rows, one cell per column.
    var rows: [[String]] { get }
    /// The text for people; `run` describes the input and the speed.
    func lines(_ run: AnalysisRun) -> [String]
}

/// The input of an analysis and how it was read.
public struct AnalysisRun: Sendable, Hashable {
    /// The name of the input for people; never a secret.
    public var source: String
    /// The length of the analysed part, seconds.
    public var duration: TimeInterval = 0
    /// The number of analysed frames.
    public var frames = 0
    /// The number of those with a person or a hand.
    public var framesWithDetections = 0
    /// The frame counts of a live source; nil for files, which lose none.
    public var live: FrameTally?
    /// How long the analysis took, seconds.
    public var seconds: TimeInterval = 0
    /// What the numbers of a pose file were taken for; nil where that is no question.
    package var note: String?
    /// For how many seconds somebody had to be in view, as the analysis says.
    public var neededSeconds: Double = 0

    /// Makes a run without frames.
    public init(source: String) { self.source = source }

    /// Counts an analysed frame.
    public mutating func add(_ frame: PosedFrame, until end: TimeInterval) {
        frames += 1
        duration = end
        if !frame.poses.isEmpty || !frame.hands.isEmpty { framesWithDetections += 1 }
    }

    /// For how many seconds somebody or a hand was in view; 0 for a single frame, which lasts no time.
    var visibleSeconds: TimeInterval {
        framesWithDetections > 1 ? duration * Double(framesWithDetections) / Double(max(frames, 1)) : 0
    }

    /// Whether somebody was in view, but for too short a time to find anything.
    package var isTooShort: Bool { framesWithDetections > 0 && visibleSeconds < neededSeconds }

    /// The source, safe to print on a terminal.
    var name: String { PlainText.oneLine(source) }

    /// The length and speed: "8.0 s (240 frames, 180.2 frames/s)".
    var extent: String {
        let speed = seconds > 0 ? (Double(frames) / seconds).text(1) : "-"
        return "\(duration.text(1)) s (\(PlainText.counted(frames, "frame")), \(speed) frames/s)"
    }
}

/// A result with its input: the JSON, CSV and text that commands and the studio write.
public struct AnalysisReport<Result: AnalysisResult>: Encodable, Sendable {
    /// The input and how it was read.
    public var run: AnalysisRun
    /// The result.
    public var result: Result

    private enum Key: String, CodingKey {
        case source, duration, frames, live, note
        case tooShort = "too_short"
    }

    /// How long somebody was in view, and how long it would have taken to find anything, seconds.
    private struct Shortage: Encodable {
        var seconds: Double
        var needed: Double
    }

    /// Makes a report.
    public init(run: AnalysisRun, result: Result) { (self.run, self.result) = (run, result) }

    /// Writes the result's keys, and `source`, `duration`, `frames`, for live sources `live`, for pose files of bare numbers
    /// a `note` of what they were taken for, and `too_short` where somebody was in view for too short a time to find anything.
    public func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(run.source, forKey: .source)
        try values.encode(run.duration.rounded(to: 6), forKey: .duration)
        try values.encode(run.frames, forKey: .frames)
        try values.encodeIfPresent(run.live, forKey: .live)
        try values.encodeIfPresent(run.note, forKey: .note)
        if isTooShort {
            let shortage = Shortage(
                seconds: run.visibleSeconds.rounded(to: 3), needed: run.neededSeconds.rounded(to: 3))
            try values.encode(shortage, forKey: .tooShort)
        }
    }

    /// Whether nothing was found, and too little was seen for that to mean anything.
    private var isTooShort: Bool { run.isTooShort && result.rows.isEmpty }

    /// That too little was seen, and how much it takes; nil if it was enough.
    package var shortage: Diagnostic? {
        guard isTooShort else { return nil }
        let frames = PlainText.counted(run.framesWithDetections, "frame")
        return Diagnostic(
            "input.short",
            "too short to say: somebody is in view for \(run.visibleSeconds.text(2)) s (\(frames)), at least "
                + "\(run.neededSeconds.text(1)) s are needed", file: run.source)
    }

    /// The JSON on one line, keys in alphabetical order.
    public func json() throws -> Data { try ResultCoding.encoder.encode(self) }

    /// The text for people, without a final line break.
    public var text: String { (result.lines(run) + [run.note].compactMap(\.self)).joined(separator: "\n") }

    /// The table as CSV, with a line break after every row.
    public var csv: String {
        ([Result.columns] + result.rows).map { $0.map(DelimitedText.cell).joined(separator: ",") + "\n" }.joined()
    }
}

/// An event that became certain, reported at once; one line each in JSON Lines.
public enum AnalysisEvent: Sendable, Hashable, Encodable {
    /// A repetition was counted.
    case repetition(CountedRepetition)
    /// A repetition of an exercise was completed.
    case coached(CoachedResult)
    /// What the coach measured in a frame.
    case coachDebug(CoachDebugFrame)
    /// What the hands in a frame do.
    case hands(HandFrame)
    /// A pinch ended.
    case pinch(PinchResult)
    /// A flight ended.
    case flight(FlightResult)
    /// A bean bag was thrown.
    case thrown(ThrowResult)
    /// A classifier's prediction for the last moments.
    case prediction(PredictionResult)
    /// A segment of one action ended.
    case segment(SegmentResult)

    private enum Key: String, CodingKey {
        case repetition, pinch, segment
        case coachDebug = "debug"
        case thrown = "throw"
    }

    /// Writes the event under its name, or directly if it is a line of its own kind.
    public func encode(to encoder: any Encoder) throws {
        func named(_ key: Key, _ value: some Encodable) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(value, forKey: key)
        }
        switch self {
        case .repetition(let one): try named(.repetition, one)
        case .coached(let one): try named(.repetition, one)
        case .coachDebug(let frame): try named(.coachDebug, frame)
        case .hands(let frame): try frame.encode(to: encoder)
        case .pinch(let one): try named(.pinch, one)
        case .flight(let one): try one.encode(to: encoder)
        case .thrown(let one): try named(.thrown, one)
        case .prediction(let one): try one.encode(to: encoder)
        case .segment(let one): try named(.segment, one)
        }
    }

    /// The event as a line of JSON, without the line break.
    public func json() throws -> Data { try ResultCoding.encoder.encode(self) }
}

/// The JSON encoding of results.
enum ResultCoding {
    /// The same value always gives the same text.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// A line for each value.
    static func lines(_ values: some Sequence<some Encodable>) throws -> String {
        let encoder = encoder
        return try values.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }
}

/// A value that is written as null when absent, so that its key is always present.
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

extension KeyedDecodingContainer {
    /// Takes a key that is missing for null, so that what an older version wrote can still be read.
    public func decode<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
        try decodeIfPresent(type, forKey: key) ?? Nullable(wrappedValue: nil)
    }
}

extension Double {
    /// The nearest number with this many decimals; 0 if not finite, because JSON cannot represent it.
    func rounded(to decimals: Int) -> Double {
        guard isFinite else { return 0 }
        let scale = pow(10, Double(decimals))
        guard abs(self) * scale < 9e15 else { return self }
        return (self * scale).rounded() / scale
    }

    /// The number as text with this many decimals.
    func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension CGPoint {
    /// The point as in JSON: x and y with five decimals.
    var pair: [Double] { [Double(x).rounded(to: 5), Double(y).rounded(to: 5)] }
}
