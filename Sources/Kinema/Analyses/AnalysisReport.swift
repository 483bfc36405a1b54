public import Foundation
package import KinemaCore

/// A result with its input: the JSON, CSV and text that commands and the studio write.
public struct AnalysisReport<Result: AnalysisResult>: Encodable, Sendable {
    /// The input and how it was read.
    package var run: AnalysisRun
    /// The result.
    package var result: Result

    private enum Key: String, CodingKey {
        case source, duration, frames, live, note
        case tooShort = "too_short"
    }

    private struct Shortage: Encodable { var seconds: Double, needed: Double }

    /// Creates a report.
    public init(run: AnalysisRun, result: Result) { (self.run, self.result) = (run, result) }

    /// Writes the result's keys, `source`, `duration` and `frames`; `live` for live sources, `note` for pose files of
    /// bare numbers, and `too_short` if nobody was in view long enough.
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

    private var isTooShort: Bool { run.isTooShort && result.rows.isEmpty }

    /// Reports that too little was seen, and how much is needed; nil if it was enough.
    package var shortage: Diagnostic? {
        guard isTooShort else { return nil }
        let frames = PlainText.counted(run.framesWithDetections, "frame")
        return Diagnostic(
            "input.short",
            "too short to analyse: a person is in view for \(run.visibleSeconds.text(2)) s (\(frames)), at least "
                + "\(run.neededSeconds.text(1)) s are needed", file: run.source)
    }

    /// The JSON on one line, with keys in alphabetical order.
    public func json() throws -> Data { try JSONEncoder.ordered.encode(self) }

    /// The human-readable text, without a final line break.
    public var text: String { (result.lines(run) + [run.note].compactMap(\.self)).joined(separator: "\n") }

    /// The table as CSV, with a line break after every row.
    public var csv: String { DelimitedText.table([Result.columns] + result.rows) }
}

extension DelimitedText {
    /// Rows of cells, each with a line break.
    package static func table(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") + "\n" }.joined()
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
    /// Reads a missing key as null, so that files from older versions remain readable.
    package func decode<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
        try decodeIfPresent(type, forKey: key) ?? Nullable(wrappedValue: nil)
    }
}

/// A box given by its corner and size, each 0...1 of the frame, origin at the lower left.
public struct NormalizedBox: Sendable, Hashable, Codable {
    /// The box.
    package let rect: CGRect

    /// Creates a box from x, y, width and height; nil unless they are four numbers within the frame.
    public init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }), numbers[2] > 0, numbers[3] > 0,
            numbers[0] + numbers[2] <= 1 + 1e-9, numbers[1] + numbers[3] <= 1 + 1e-9
        else { return nil }
        rect = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Parses "x,y,width,height"; nil for anything else.
    package init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard !numbers.contains(where: { $0 == nil }) else { return nil }
        self.init(numbers.compactMap(\.self))
    }
}

package enum ResultCoding {
    package static func lines(_ values: some Sequence<some Encodable>) throws -> String {
        let encoder = JSONEncoder.ordered
        return try values.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }
}

extension CGPoint {
    /// The point as in JSON: x and y with five decimals.
    var pair: [Double] { [Double(x).rounded(to: 5), Double(y).rounded(to: 5)] }
}

extension PlainText {
    /// Since which cut a person is there, to follow the number: ", after a cut at 3.2 s"; nothing without one.
    static func afterCut(_ time: Double?) -> String { time.map { ", after a cut at \($0.text(1)) s" } ?? "" }
}
