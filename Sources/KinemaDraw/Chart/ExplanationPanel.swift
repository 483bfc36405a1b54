import Foundation
import KinemaCore

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
        let (low, even, high) = (SIMD3(0.78, 0.35, 0), SIMD3(0.72, 0.72, 0.74), SIMD3(0, 0.45, 0.7))
        let share = min(max(probability, 0), 1) * 2
        let mixed = share < 1 ? low + (even - low) * share : even + (high - even) * (share - 1)
        return Color(red: mixed.x, green: mixed.y, blue: mixed.z)
    }
}
