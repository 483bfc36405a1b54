import Foundation
import KinemaCommands
import Kinema

struct PinchScore {
    let tolerance: TimeInterval
    private(set) var right = 0, found = 0, labelled = 0, clips = 0
    /// Clips without pinches, and the pinches found there.
    private(set) var negatives = (clips: 0, found: 0)
    /// Clips in which the number of pinches is right to within one.
    private(set) var within = 0

    /// Adds a clip; returns its line and one for each pinch that is missed or false.
    mutating func add(_ clip: PinchLabel, found starts: [TimeInterval], _ frames: [PinchExplanation]) -> [String] {
        var left = starts
        var details: [String] = []
        for pinch in clip.pinches {
            let nearest = left.indices.min { abs(left[$0] - pinch.lowerBound) < abs(left[$1] - pinch.lowerBound) }
            // Times are rounded to a tenth of a millisecond.
            if let nearest, abs(left[nearest] - pinch.lowerBound) <= tolerance + 1e-3 {
                left.remove(at: nearest)
            } else {
                details.append("  missed \(pinch.lowerBound.text(2)) s: \(Self.cause(of: pinch, frames))")
            }
        }
        details += left.map { "  false \($0.text(2)) s" }
        let hits = starts.count - left.count
        right += hits
        found += starts.count
        labelled += clip.pinches.count
        clips += 1
        if abs(starts.count - clip.pinches.count) <= 1 { within += 1 }
        if clip.pinches.isEmpty { negatives = (negatives.clips + 1, negatives.found + starts.count) }
        let share =
            clip.pinches.isEmpty
            ? "" : ", F1 \(Self.f1(right: hits, found: starts.count, labelled: clip.pinches.count).text(3))"
        let head =
            "\(EvaluationTable.pad(clip.file, 34))\(starts.count) found of \(clip.pinches.count), \(hits) in time"
            + share
        return [head] + details
    }

    /// The reason for a missed pinch, from the nearest frame.
    private static func cause(of pinch: ClosedRange<TimeInterval>, _ frames: [PinchExplanation]) -> String {
        guard !frames.isEmpty else { return "no hand was found, or the rule gives no reason" }
        let shown = frames.filter { pinch.lowerBound - 0.02 <= $0.time && $0.time <= pinch.upperBound }
        guard let best = shown.max(by: { $0.average < $1.average }) else { return "no hand was found" }
        if best.state == .pinched || best.state == .possibleApart {
            return "found at another time, or joined with its neighbour"
        }
        return "\(best.refused ?? PinchEvidence.Refusal.gap.rawValue) (score \(best.average.text(1)))"
    }

    private static func f1(right: Int, found: Int, labelled: Int) -> Double {
        2 * Double(right) / Double(max(1, found + labelled))
    }

    private var f1: Double { Self.f1(right: right, found: found, labelled: labelled) }

    var text: String {
        "\(PlainText.counted(clips, "clip")): \(found) found of \(labelled), \(right) within \(tolerance.text(2)) s, "
            + "F1 \(f1.text(3)); within one on \(PlainText.counted(within, "clip")); \(negatives.found) on "
            + "\(PlainText.counted(negatives.clips, "clip")) without pinches"
    }

    var fields: [EvaluationTable.Field] {
        [
            ("clips", .integer(clips)), ("labelled", .integer(labelled)), ("found", .integer(found)),
            ("right", .integer(right)), ("within_one", .integer(within)), ("negatives", .integer(negatives.clips)),
            ("found_on_negatives", .integer(negatives.found)), ("f1", .number(f1, decimals: 4)),
        ]
    }
}

struct PinchLabel: Sendable {
    var file, path: String
    /// The times at which the tips touch, in order.
    var pinches: [ClosedRange<TimeInterval>]

    /// Reads the table; throws `unreadableInput` if something is missing.
    static func read(_ url: URL, folder: URL?) throws -> [PinchLabel] {
        let table = try DelimitedTable(contentsOf: url, remedy: "give a table of pinches")
        for column in ["file", "closed", "apart"] where !table.header.contains(column) {
            throw KinemaError(.unreadableInput, "has no column \(column)", file: url.path)
        }
        var clips: [PinchLabel] = []
        for (index, row) in table.rows.enumerated() {
            guard let file = row["file"], !file.isEmpty else {
                throw KinemaError(.unreadableInput, "row \(index + 1) has no file", file: url.path)
            }
            if clips.last?.file != file {
                let place = (folder ?? url.deletingLastPathComponent()).appending(path: file)
                clips.append(PinchLabel(file: file, path: place.path, pinches: []))
            }
            guard let closed = row["closed"], !closed.isEmpty else { continue }
            guard let start = Double(closed), let end = row["apart"].flatMap({ Double($0) }), start <= end else {
                throw KinemaError(.unreadableInput, "row \(index + 1) has no times in seconds", file: url.path)
            }
            clips[clips.count - 1].pinches.append(start...end)
        }
        guard !clips.isEmpty else { throw KinemaError(.unreadableInput, "lists no clip", file: url.path) }
        return clips
    }
}
