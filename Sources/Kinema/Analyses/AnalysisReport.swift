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
