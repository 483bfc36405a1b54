import ArgumentParser
import Foundation
import Kinema
import KinemaMotion

/// `kinema evaluate gesture LABELS.csv`: finds the pinches of every labelled clip and compares when they close.
struct EvaluateGestureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture",
        abstract: "Finds the pinches of every labelled clip and prints which were found, missed and false.",
        discussion: """
            LABELS is a table with the columns file, closed and apart: when the tips of thumb and index finger met and \
            were apart again, in seconds, a row a pinch. A file without pinches has one row without times. Files lie \
            beside the table or in --folder. A pinch is found if one begins within --tolerance of it; F1 is the \
            harmonic mean of precision and recall.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @Option(help: "The folder of the files, if they do not lie beside the table.")
    var folder: String?

    @Option(help: "How far a pinch may be from its label, in seconds.")
    var tolerance = 0.1

    @Option(help: "What counts as a pinch: scored, strict or sample.")
    var rule = GestureCommand.Rule.scored

    @Option(
        help: """
            Arithmetic: f32, automatic for 16 bits where the processor has them, or int8 for the 8-bit models that \
            script/quantise makes.
            """)
    var precision = ModelStore.Precision.automatic

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func validate() throws {
        guard tolerance >= 0, tolerance.isFinite else { throw ValidationError("--tolerance takes 0 or more") }
        guard format == .text || format == .json else { throw ValidationError("--format takes text or json") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let clips = try PinchLabel.read(URL(filePath: labels), folder: folder.map { URL(filePath: $0) })
            var score = PinchScore(tolerance: tolerance)
            let output = StandardOutput()
            for (index, clip) in clips.enumerated() {
                Console.shared.progress(index, of: clips.count, note: clip.file)
                let runner = InputRunner(input: InputChoice(clip.path), showsProgress: false)
                let analysis = try await runner.run(DrawAnalysis(configuration), interruption).analysis
                if interruption.isRaised { break }
                let lines = score.add(clip, found: analysis.result.pinches.map(\.start), analysis.explanations)
                if format == .text { for line in lines { try output.line(line) } }
            }
            Console.shared.endProgress()
            try output.line(format == .text ? score.text : score.json)
        }
    }

    private var configuration: DrawAnalysis.Configuration {
        var configuration = DrawAnalysis.Configuration()
        configuration.rule = rule.rule
        configuration.pipeline = .handsOnly(
            HandPoseOptions(precision: precision, readsCloseUp: rule == .scored), smooths: false)
        configuration.explains = true
        return configuration
    }
}

/// A clip and the pinches that it shows.
struct PinchLabel: Sendable {
    /// The file's name in the table.
    var file: String
    var path: String
    /// When the tips touch, in order of time.
    var pinches: [ClosedRange<TimeInterval>]

    /// Reads the table; throws `unreadableInput` naming what is missing.
    static func read(_ url: URL, folder: URL?) throws -> [PinchLabel] {
        let table = try DelimitedTable(contentsOf: url, remedy: "name a table of pinches")
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
        guard !clips.isEmpty else { throw KinemaError(.unreadableInput, "names no clip", file: url.path) }
        return clips
    }
}

/// How well pinches agree with labels.
struct PinchScore {
    let tolerance: TimeInterval
    private(set) var right = 0
    private(set) var found = 0
    private(set) var labelled = 0
    private(set) var clips = 0
    /// Clips without pinches, and the pinches found there.
    private(set) var negatives = (clips: 0, found: 0)
    /// Clips in which as many pinches were found as there are, or one more or less.
    private(set) var within = 0

    init(tolerance: TimeInterval) { self.tolerance = tolerance }

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
            "\(CountTable.pad(clip.file, 34))\(starts.count) found of \(clip.pinches.count), \(hits) in time" + share
        return [head] + details
    }

    /// Why a pinch was missed: what the frame shows that came nearest.
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

    /// The measures as a line.
    var text: String {
        "\(PlainText.counted(clips, "clip")): \(found) found of \(labelled), \(right) within \(tolerance.text(2)) s, "
            + "F1 \(f1.text(3)); within one on \(PlainText.counted(within, "clip")); \(negatives.found) on "
            + "\(PlainText.counted(negatives.clips, "clip")) without pinches"
    }

    /// The measures as a line of JSON.
    var json: String {
        var json = JSONText()
        json.object { json in
            for (key, value) in [
                ("clips", clips), ("labelled", labelled), ("found", found), ("right", right), ("within_one", within),
                ("negatives", negatives.clips), ("found_on_negatives", negatives.found),
            ] {
                json.key(key)
                json.integer(value)
            }
            json.key("f1")
            json.number(f1, decimals: 4)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension Double {
    /// The number as text with this many decimals.
    fileprivate func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}
