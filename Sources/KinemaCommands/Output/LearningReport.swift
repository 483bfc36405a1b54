import Foundation
import Kinema
import KinemaDraw

/// The training data of a classifier, the tried and chosen settings, and its accuracy, as a page of HTML.
struct LearningReport {
    let classifier: HumanActionClassifier

    private var summary: TrainingSummary { classifier.summary }

    /// Writes the page to a file that ends in .html, or `report.html` with `confusion.svg` to a folder, which it makes.
    func write(to path: String) throws {
        let url = URL(filePath: path)
        let chart = try confusion?.svg()
        guard !Self.isPage(path) else { return try AtomicFile.write(Array(page(chart).utf8), to: url) }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw KinemaError(.unwritableOutput, "the folder cannot be created; check its path", file: path)
        }
        if let chart { try AtomicFile.write(chart, to: url.appending(path: "confusion.svg")) }
        try AtomicFile.write(Array(page(chart).utf8), to: url.appending(path: "report.html"))
    }

    /// Whether a report goes into one file, not a folder.
    static func isPage(_ path: String) -> Bool { path.lowercased().hasSuffix(".html") }

    /// The confusion over the clips left out; nil if none were.
    private var confusion: ConfusionChart? {
        summary.confusion.map { counts in
            let total = counts.flatMap(\.self).reduce(0, +)
            let correct = counts.indices.reduce(0) { $0 + counts[$1][$1] }
            return ConfusionChart(
                labels: classifier.classes.map(PlainText.oneLine), counts: counts,
                title: "\(correct) of \(total) held-out clips were classified correctly")
        }
    }

    private func page(_ chart: Data?) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Learning report</title>
        <style>
        body { font: 16px/1.5 sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #1b1f24 }
        table { border-collapse: collapse } td, th { padding: 0.2em 1em 0.2em 0; text-align: left }
        td.number, th.number { text-align: right } svg { max-width: 100%; height: auto }
        </style></head><body>
        <h1>Learning report</h1>
        <p>\(HTMLText.escaped(opening))</p>
        <h2>Classes</h2>
        \(classes)
        <h2>Variants tried</h2>
        \(rounds)
        <h2>Confusion matrix of the held-out clips</h2>
        \(chart.map(HTMLText.inline) ?? "<p>Nothing was held out.</p>")
        </body></html>

        """
    }

    private var opening: String {
        let accuracy = summary.heldOutClipAccuracy.map { String(format: "%.1f %% of the held-out clips", $0 * 100) }
        let left = summary.hasPeople == true ? "Each person was held out in turn" : "Each clip was held out in turn"
        return [
            accuracy.map { "\($0) were classified correctly. \(left), or only some of them if a share was given." }
                ?? "Nothing was held out, so the accuracy of this classifier is not known.",
            "A window has \(classifier.predictionWindowSize) frames at \(classifier.targetFrameRate) a second.",
            summary.isMirrored == true ? "Mirrored movements mean the same." : "Left and right mean different things.",
            "Posture contributes \(Int(((summary.postureShare ?? 0) * 100).rounded())) % of the score, movement the rest.",
        ].joined(separator: " ")
    }

    private var classes: String {
        let counts = summary.confusion
        let rows = classifier.classes.enumerated().map { index, label in
            let right = counts.map { $0[index][index] }
            let recall = counts.map { Self.share(right, of: $0[index].reduce(0, +)) } ?? "–"
            let precision = counts.map { Self.share(right, of: $0.reduce(0) { $0 + $1[index] }) } ?? "–"
            return [HTMLText.escaped(label), String(summary.clips[label] ?? 0), precision, recall]
        }
        return HTMLText.table(["class", "clips", "precision", "recall"], rows)
    }

    private var rounds: String {
        guard let rounds = summary.rounds, !rounds.isEmpty else { return "<p>Not known.</p>" }
        return HTMLText.table(
            ["tried", "correct", "squared error", "chosen"],
            rounds.map { round in
                [
                    HTMLText.escaped(round.name), String(format: "%.1f %%", round.accuracy * 100),
                    String(format: "%.3f", round.loss), round.isTaken ? "yes" : "",
                ]
            })
    }

    private static func share(_ count: Int?, of all: Int) -> String {
        guard let count, all > 0 else { return "–" }
        return String(format: "%.1f %%", 100 * Double(count) / Double(all))
    }
}

enum JSONValue: Codable {
    case text(String)
    case flag(Bool)
    case whole(Int)
    case number(Double)
    case list([JSONValue])
    case object([String: JSONValue])
    case null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let whole = try? value.decode(Int.self) {
            self = .whole(whole)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .flag(let flag): try value.encode(flag)
        case .whole(let whole): try value.encode(whole)
        case .number(let number): try value.encode(number)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        case .null: try value.encodeNil()
        }
    }
}
