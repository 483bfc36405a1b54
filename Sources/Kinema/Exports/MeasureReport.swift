import KinemaMeasuring
import Foundation
import KinemaCore

package enum HTMLText {
    /// An untrusted text on one line, with HTML's special characters escaped.
    package static func escaped(_ text: String) -> String {
        PlainText.oneLine(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// A table of cells that are HTML already; the first column is text, the others are numbers.
    package static func table(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            let all = cells.enumerated().map { index, cell in
                "<\(tag)\(index > 0 ? " class=\"number\"" : "")>\(cell)</\(tag)>"
            }
            return "<tr>\(all.joined())</tr>"
        }
        return (["<table>", row(head, "th")] + rows.map { row($0, "td") } + ["</table>"]).joined(separator: "\n")
    }

    /// A drawing as part of a page, without its XML declaration.
    package static func inline(_ svg: Data) -> String {
        let text = String(decoding: svg, as: UTF8.self)
        return text.range(of: "<svg").map { String(text[$0.lowerBound...]) } ?? ""
    }
}

/// A measurement as one HTML page for A4 paper: values with confidence, curves, limits and definitions.
struct MeasureReport {
    private let analysis: MeasureAnalysis
    private let run: AnalysisRun
    private let result: MeasureResult
    private let picture: Data?

    /// The most panels of curves and values that fit on the page.
    private static let (mostPanels, mostReadings) = (4, 16)

    init(_ analysis: MeasureAnalysis, _ report: AnalysisReport<MeasureResult>, picture: Data?) {
        (self.analysis, self.picture, run, result) = (analysis, picture, report.run, report.result)
    }

    /// The angles of joints and of left-right lines, without those of single segments.
    private var angles: [String] {
        let segments = ["foot", "shank", "thigh", "arm", "forearm"]
        return AngleSeries.names.filter { name in
            result.quantities[name] != nil && !segments.contains { name.hasSuffix(" " + $0) }
        }
    }

    /// The quantities whose curves are shown: the bar's, and the angles with the largest ranges.
    var curves: [String] {
        func joint(_ name: String) -> String { name.split(separator: " ", maxSplits: 1).last.map(String.init) ?? name }
        let ranges = Dictionary(grouping: angles) { joint($0) }.mapValues { names in
            names.compactMap { range($0).map { $0.maximum - $0.minimum } }.max() ?? 0
        }
        let bar = ["bar height", "bar position"].filter { result.quantities[$0] != nil }
        let largest = ranges.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.mostPanels - bar.count)
        return bar + angles.filter { name in largest.contains { $0.key == joint(name) } }
    }

    /// The page; `chart` is an SVG of `curves`.
    func page(_ chart: Data) -> String {
        // The page is shared, so it names the file but not its folders.
        let isAddress = run.source.contains("://")
        let title = HTMLText.escaped(isAddress ? run.source : (run.source as NSString).lastPathComponent)
        let height = result.height.map { ", height \($0.text(2)) m" } ?? ""
        let seen =
            "Person \(result.person ?? 0), view \(result.view.rawValue)\(height), "
            + "\(run.duration.text(1)) s, \(PlainText.counted(result.times.count, "frame"))"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <style>
            @page { size: A4; margin: 10mm }
            body { font: 8.5pt/1.35 sans-serif; width: 190mm; margin: 0 auto; color: #1b1f24 }
            h1 { font-size: 13pt; margin: 0 } h2 { font-size: 9.5pt; margin: 2mm 0 0.5mm } p, ul { margin: 0 }
            table { border-collapse: collapse; width: 100% } td, th { padding: 0.2mm 1mm; text-align: left; \
            border-bottom: 0.2mm solid #d5d9de } .number { text-align: right }
            .two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 6mm } ul { padding-left: 4mm }
            .small { font-size: 7pt; line-height: 1.25; columns: 2; column-gap: 6mm }
            svg { width: 100%; height: auto; display: block }
            img { max-width: 100%; max-height: 48mm; display: block; margin: 1mm auto }
            </style></head><body>
            <h1>\(title)</h1>
            <p>\(HTMLText.escaped(seen))</p>
            <div class="two"><div><h2>Values</h2>
            \(HTMLText.table(["", "value", "spread", "confidence"], valueRows))
            \(image)</div><div><h2>Angles, degrees</h2>
            \(HTMLText.table(["", "least", "most", "range", "confidence", "seen"], angles.map(angleRow)))
            </div></div>
            \(curves.isEmpty ? "" : HTMLText.inline(chart))
            <div class="small"><h2>What limits these values</h2>
            \(list(limits))
            <h2>Definitions</h2>
            \(list(definitions))</div>
            </body></html>

            """
    }

    private var image: String {
        guard let picture else { return "" }
        let kind = picture.starts(with: [0xFF, 0xD8]) ? "jpeg" : "png"
        return "<img alt=\"measured angles\" src=\"data:image/\(kind);base64,\(picture.base64EncodedString())\">"
    }

    private func list(_ items: [String]) -> String {
        "<ul>\(items.map { "<li>\(HTMLText.escaped($0))</li>" }.joined(separator: "\n"))</ul>"
    }

    // MARK: - Values

    private func values(_ name: String) -> [Double] {
        guard let quantity = result.quantities[name] else { return [] }
        return quantity.values.indices.compactMap { quantity.confidence[$0] > 0 ? quantity.values[$0] : nil }
    }

    private func range(_ name: String) -> RangeFinding? { analysis.measurement?.ranges[name] }

    private func angleRow(_ name: String) -> [String] {
        let ends = range(name).map { [$0.minimum, $0.maximum, $0.maximum - $0.minimum].map { $0.text(0) } }
        let share = 100 * Double(values(name).count) / Double(result.times.count)
        let confidence = result.meanConfidence(of: [name])?.text(2) ?? "–"
        return [name] + (ends ?? ["–", "–", "–"]) + [confidence, "\(share.text(0)) %"]
    }

    private var valueRows: [[String]] {
        result.readings.prefix(Self.mostReadings).map { reading in
            let confidence = reading.test.flatMap { result.confidence[$0.rawValue] }
            return [reading.name, reading.value, reading.spread ?? "–", confidence?.text(2) ?? "–"]
        }
    }

    // MARK: - Words

    /// What was not measured and why, and why values are less certain.
    private var limits: [String] {
        let more = result.readings.count - Self.mostReadings
        var all = (more > 0 ? ["\(more) more values are in the text and the tables."] : []) + result.warnings
        switch result.view {
        case .side:
            let joints = ["ankle", "knee", "hip", "shoulder", "elbow"]
            all += AngleSeries.names.filter { name in joints.contains { name.hasSuffix($0) } && values(name).isEmpty }
                .map { "\($0): a joint is never seen." }
            all.append("A side view does not show abduction or the tilt of pelvis and shoulders.")
        case .front: all.append("A front view does not show flexion.")
        case .oblique: all.append("In an oblique view no angles are measured.")
        }
        return all + ["One camera sees one plane; the far side is less certain. Not for diagnosis."]
    }

    private var definitions: [String] {
        var all = [
            "Angles: names, zero and sign of Sports2D; 0 upright with hanging arms, flexion positive; Trunk 90 upright.",
            "Least, most: exceeded for 0.1 s in total, without filled values and the image's edge. Seen: share of frames with a value.",
            "Published error of angles: hip 4, knee 6, ankle 7 degrees, walking (Stenum 2021).",
            "Confidence: mean of that of the least certain joint, 0 to 1. Spread: standard deviation.",
        ]
        let tests = result.tests
        let (gait, jump, balance) = (tests.gait != nil, tests.jumps != nil, tests.balance != nil)
        let lines: [(isMade: Bool, text: String)] = [
            (gait, "Step: from the other foot's contact to its own, on the floor; published error 5 cm (Stenum 2021)."),
            (gait, "Contact: Zeni 2008; published error 17 ms, with markers."),
            (gait, "Cadence: 60 divided by the mean step time; published error of a step 0.02 s (Stenum 2021)."),
            (gait, "Speed: distance by time from first to last contact; published error 0.1 m/s (Stenum 2021)."),
            (gait, "Stance: share of a stride from contact to toe-off; published error 0.02 s (Stenum 2021)."),
            (gait, "Asymmetry: difference of the sides' step times divided by their mean (Robinson 1987)."),
            (jump, "Jump: g t²/8 of flight time; published error 0.1 cm, hand-picked frames (Cruvinel-Cabral 2018)."),
            (jump, "Rise: of the centre of mass (de Leva). Knee: mean flexion of the knees seen, at landing."),
            (
                tests.sitToStand != nil,
                "Sit to stand: from the trunk's first movement to standing at rest; published error of five times "
                    + "-0.30 s (Shukla 2020)."
            ),
            (
                tests.upAndGo != nil,
                "Up and go: from the trunk's first movement to resting on the seat; published error of a phase "
                    + "0.15 s (Savoie 2020)."
            ),
            (balance, "Balance: the centre of mass (de Leva 1996); published error: none found for one camera."),
            (balance, "Path: length along the floor. Ellipse: 95 %, along the floor and up."),
            (
                tests.barPath != nil,
                "Lift: the middle of the wrists; sideways from its start, right positive; published error: none found."
            ),
            (
                tests.sprint != nil,
                "Sprint: steps between resting toes; speed of the hips at toe-off; published error: none found."
            ),
        ]
        all += lines.filter(\.isMade).map(\.text)
        switch analysis.configuration.options.filter {
        case .none: all.append("Positions are as found, without a filter.")
        case .butterworth(let cutOff):
            all.append("Positions: Butterworth of order 4 without delay, \(cutOff.text(1)) Hz.")
        }
        return all
    }
}
