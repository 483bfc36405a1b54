package import Foundation
import KinemaCore

/// A chart of why repetitions were counted or not: for each person the reported repetitions, and below them the
/// candidates with their cycles and evidence.
package struct ExplanationChart {
    /// A repetition; it was added at the end, or else reported while the movement went on.
    package typealias Repetition = (span: ClosedRange<Double>, isAdded: Bool)
    /// A cycle with the probability that it is a repetition, 0...1.
    package typealias Cycle = (span: ClosedRange<Double>, probability: Double)

    /// A candidate count: a signal, 0 at its minimum and 1 at its maximum, with its cycles; `reasons` is its description
    /// and the evidence behind the verdict.
    package typealias Way = (
        title: String, reasons: String, isTaken: Bool, samples: [RepetitionSignal.Sample], cycles: [Cycle]
    )
    /// One person's repetitions, the displayed candidates from the top, and the number of omitted ones.
    package typealias Person = (id: Int, repetitions: [Repetition], ways: [Way], more: Int)

    private let title: String
    private let people: [Person]
    private let duration: Double

    package init(title: String, people: [Person], duration: Double) {
        (self.title, self.people, self.duration) = (title, people, duration)
    }

    /// In pixels or points; long recordings get more, so that a cycle of a second stays visible.
    var width: Double { min(max(RepetitionChart.width, 12 * duration), 3 * RepetitionChart.width) }
    var height: Double {
        Self.top
            + (people.isEmpty ? ExplanationPanel.height : people.reduce(0) { $0 + ExplanationPanel.fullHeight(of: $1) })
            + ChartPanel.bottom
    }
    /// Title, legend and the upper time axis.
    private static let top = 92.0

    func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        let time = ChartScale(range: 0...max(duration, 0.1), from: 70, to: width - 24)
        canvas.title(title, upTo: width - 60)
        drawLegend(on: canvas)
        var top = Self.top
        let bottom = height - ChartPanel.bottom
        for tick in time.ticks(atMost: Int(width / 80)).values {
            let x = time.pixel(tick)
            canvas.stroke([CGPoint(x: x, y: top), CGPoint(x: x, y: bottom)], color: Color(hex: 0xEEF0F2), width: 1)
        }
        canvas.timeTicks(time, atMost: Int(width / 80), y: top - 22, isAbove: true)
        if people.isEmpty { canvas.nobody(at: CGPoint(x: width / 2, y: top + ExplanationPanel.height / 2)) }
        for person in people {
            ExplanationPanel(person: person, time: time, top: top).draw(on: canvas)
            top += ExplanationPanel.fullHeight(of: person)
        }
        canvas.timeAxis(time, atMost: Int(width / 80), y: bottom)
    }

    package func write(to url: URL) throws {
        try Canvas.write(width: width, height: height, to: url) { draw(on: $0) }
    }

    private func drawLegend(on canvas: Canvas) {
        var x = 70.0
        func entry(_ text: String, _ color: Color, isDashed: Bool = false) {
            ExplanationPanel.band(
                CGRect(x: x, y: 42, width: 18, height: 13), color: color, isDashed: isDashed, on: canvas)
            canvas.text(text, at: CGPoint(x: x + 24, y: 53), size: 12.5, color: ChartPanel.ink, bold: false)
            x += 24 + canvas.width(of: text, size: 12.5, bold: false) + 22
        }
        entry("reported live", ExplanationPanel.reported)
        entry("added at the end", ExplanationPanel.reported, isDashed: true)
        for (text, probability) in [("not a cycle", 0.0), ("uncertain", 0.5), ("repetition", 1)] {
            entry(text, ExplanationPanel.color(probability))
        }
    }
}

struct ExplanationPanel {
    /// The heights of the reported repetitions, of a candidate, and of the part below the last one.
    static let head = 92.0, height = 136.0, foot = 34.0
    /// The height of a candidate's signal, and of its two lines of text.
    private static let plot = 84.0, words = 38.0

    /// The colour of reported repetitions, different from those of probabilities.
    static let reported = Color(hex: 0x5B4FB0)

    let person: ExplanationChart.Person
    let time: ChartScale
    let top: Double

    static func fullHeight(of person: ExplanationChart.Person) -> Double {
        head + Double(person.ways.count) * height + foot
    }

    func draw(on canvas: Canvas) {
        drawRepetitions(on: canvas)
        for (row, way) in person.ways.enumerated() {
            draw(way, top: top + Self.head + Double(row) * Self.height, on: canvas)
        }
        let end = top + Self.head + Double(person.ways.count) * Self.height + 12
        let text =
            person.ways.isEmpty
            ? "no hypothesis for this movement"
            : person.more > 0
                ? "\(person.more) more not shown; --explain FILE.jsonl lists all hypotheses"
                : ""
        canvas.text(text, at: CGPoint(x: time.from, y: end), size: 12.5, color: ChartPanel.pale, bold: false)
    }

    private func drawRepetitions(on canvas: Canvas) {
        let added = person.repetitions.count(where: \.isAdded)
        canvas.text(
            "person \(person.id): \(PlainText.counted(person.repetitions.count, "repetition"))"
                + (added > 0 ? ", \(added) of them added at the end" : ""),
            at: CGPoint(x: time.from, y: top + 16), size: 14, color: Self.reported)
        let strip = CGRect(x: time.from, y: top + 24, width: time.to - time.from, height: 48)
        canvas.fill(strip, color: Color(hex: 0xF7F8F9))
        for (index, repetition) in person.repetitions.enumerated() {
            // Added repetitions may overlap those reported before.
            var box = time.box(repetition.span, in: strip, least: 0.5)
            (box.size.height, box.origin.y) = (22, strip.minY + (repetition.isAdded ? 25 : 1))
            Self.band(box, color: Self.reported, isDashed: repetition.isAdded, on: canvas)
            number(index + 1, in: box, on: canvas)
        }
        if person.repetitions.isEmpty {
            canvas.text(
                "nothing was counted", at: CGPoint(x: strip.midX, y: strip.midY + 4.5), size: 13,
                color: ChartPanel.pale, bold: false, alignment: .center)
        }
    }

    private func number(_ number: Int, in box: CGRect, on canvas: Canvas) {
        // Narrow bands get smaller numbers; if even these do not fit, only every fifth gets one.
        let size = canvas.width(of: String(number), size: 13) < box.width - 2 ? 13.0 : 10
        guard canvas.width(of: String(number), size: size) < box.width || number % 5 == 0 else { return }
        canvas.text(
            String(number), at: CGPoint(x: box.midX, y: box.midY + 0.35 * size), size: size, color: Self.reported,
            alignment: .center)
    }

    private func fitting(_ text: String, size: Double, bold: Bool, on canvas: Canvas) -> String {
        var cut = text
        while canvas.width(of: cut, size: size, bold: bold) > time.to - time.from, cut.count > 4 {
            cut = String(cut.dropLast(4)) + "..."
        }
        return cut
    }

    private func draw(_ way: ExplanationChart.Way, top: Double, on canvas: Canvas) {
        let ink = way.isTaken ? ChartPanel.ink : ChartPanel.pale
        // The text starts where the signal does, if it fits there.
        let start = way.samples.first.map { time.clamped($0.time) } ?? time.from
        for (text, size, bold, y) in [(way.title, 13.0, way.isTaken, 14.0), (way.reasons, 12, false, 30)] {
            let words = fitting(text, size: size, bold: bold, on: canvas)
            let x = max(time.from, min(start, time.to - canvas.width(of: words, size: size, bold: bold)))
            canvas.text(words, at: CGPoint(x: x, y: top + y), size: size, color: ChartPanel.ink, bold: bold)
        }
        let frame = CGRect(x: time.from, y: top + Self.words, width: time.to - time.from, height: Self.plot)
        for cycle in way.cycles {
            let box = time.box(cycle.span, in: frame, least: 0.5)
            Self.band(box, color: Self.color(cycle.probability), isDashed: false, on: canvas)
            let text = String(format: "%.2f", cycle.probability)
            guard canvas.width(of: text, size: 11, bold: false) < box.width - 4 else { continue }
            canvas.text(
                text, at: CGPoint(x: box.midX, y: box.minY + 12), size: 11, color: ChartPanel.ink, bold: false,
                alignment: .center)
        }
        let value = ChartScale(range: -0.05...1.25, from: frame.maxY, to: frame.minY)
        let signal = RepetitionSignal(id: person.id, samples: way.samples)
        for run in signal.runs(bridging: .infinity) {
            canvas.stroke(
                run.map { CGPoint(x: time.clamped($0.time), y: value.clamped($0.value)) }, color: ink, width: 1.6)
        }
        canvas.stroke(
            [CGPoint(x: frame.minX, y: frame.maxY), CGPoint(x: frame.maxX, y: frame.maxY)], color: ChartPanel.pale,
            width: 1)
    }

    static func band(_ box: CGRect, color: Color, isDashed: Bool, on canvas: Canvas) {
        canvas.fill(box, color: color.faded(to: isDashed ? 0.1 : 0.28))
        canvas.stroke(
            box.corners, color: color.faded(to: isDashed ? 1 : 0.55), width: 1, dash: isDashed ? [4, 3] : [],
            closed: true)
    }

    /// The colour of a probability, from orange through grey to blue: safe for colour-blind readers.
    static func color(_ probability: Double) -> Color {
        let even = SIMD3(0.72, 0.72, 0.74)
        let share = min(max(probability, 0), 1) * 2 - 1
        let end = share < 0 ? SIMD3(0.78, 0.35, 0) : SIMD3(0, 0.45, 0.7)
        let mixed = even + (end - even) * abs(share)
        return Color(red: mixed.x, green: mixed.y, blue: mixed.z)
    }
}
