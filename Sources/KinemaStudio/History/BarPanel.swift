internal import Foundation
internal import KinemaCore
internal import KinemaDraw

/// Bars over time: as wide as what they stand for lasted, as high as it measured.
struct BarPanel: SessionPanel {
    /// One bar.
    struct Bar {
        var start: Double
        var end: Double
        /// From the bottom: each part's height and how strong its colour is.
        var parts: [(value: Double, strength: Double)]
        var number: String
        var note = ""
        var isFaulty = false
        var person = 0
    }

    let title: String
    let bars: [Bar]
    let height = 230.0

    static func depths(_ repetitions: [KeptSession.Repetition]) -> BarPanel {
        BarPanel(
            title: "depth, share of a full repetition; with faults in red",
            bars: repetitions.enumerated().compactMap { index, one in
                one.depth.map { depth in
                    Bar(
                        start: one.start, end: one.end, parts: [(depth, 0.6)], number: "\(index + 1)",
                        note: one.faults.map(\.title).joined(separator: ", "), isFaulty: !one.faults.isEmpty,
                        person: one.person)
                }
            })
    }

    static func lengths(_ repetitions: [KeptSession.Repetition]) -> BarPanel {
        let hasTempo = repetitions.contains { $0.tempo != nil }
        return BarPanel(
            title: hasTempo ? "tempo (s): out, hold, back from below" : "length of repetitions (s)",
            bars: repetitions.enumerated().map { index, one in
                let tempo = one.tempo.map { [($0.out, 0.75), ($0.hold, 0.2), ($0.back, 0.45)] }
                return Bar(
                    start: one.start, end: one.end, parts: tempo ?? [(one.end - one.start, 0.6)],
                    number: "\(index + 1)", person: one.person)
            })
    }

    static func speeds(_ tosses: [KeptSession.Throw]) -> BarPanel {
        BarPanel(
            title: "speed (m/s), type, landing and points of throws",
            bars: tosses.enumerated().map { index, one in
                Bar(
                    start: one.start, end: one.end, parts: [(one.speedMps ?? 0, 0.6)], number: "\(index + 1)",
                    note: "\(one.type), \(one.landing), \(one.score)")
            })
    }

    func draw(on canvas: Canvas, time: ChartScale, top: Double) {
        let frame = CGRect(x: time.from, y: top + 26, width: time.to - time.from, height: height - 50)
        let most = bars.map { $0.parts.reduce(0) { $0 + max(0, $1.value) } }.max() ?? 1
        let value = ChartScale(range: 0...max(most * 1.15, 0.1), from: frame.maxY, to: frame.minY)
        canvas.text(title, at: CGPoint(x: frame.minX, y: frame.minY - 8), size: 14, color: SessionChart.ink)
        let (ticks, step) = value.ticks(atMost: 5)
        for tick in ticks {
            let y = value.pixel(tick)
            canvas.stroke(
                [CGPoint(x: frame.minX, y: y), CGPoint(x: frame.maxX, y: y)], color: Color(hex: 0xE3E6EA), width: 1)
            canvas.text(
                ChartScale.label(tick, step: step), at: CGPoint(x: frame.minX - 8, y: y + 4.5), size: 13,
                color: SessionChart.ink, bold: false, alignment: .trailing)
        }
        for bar in bars { draw(bar, on: canvas, time: time, value: value) }
        canvas.stroke(
            [
                CGPoint(x: frame.minX, y: frame.minY), CGPoint(x: frame.minX, y: frame.maxY),
                CGPoint(x: frame.maxX, y: frame.maxY),
            ], color: SessionChart.ink, width: 1.2)
    }

    private func draw(_ bar: Bar, on canvas: Canvas, time: ChartScale, value: ChartScale) {
        let (left, right) = (time.clamped(bar.start), max(time.clamped(bar.end), time.clamped(bar.start) + 3))
        let color = bar.isFaulty ? Color.fault : Color.chart(bar.person)
        var sum = 0.0
        for part in bar.parts {
            let (low, high) = (value.clamped(sum), value.clamped(sum + max(0, part.value)))
            canvas.fill(
                CGRect(x: left + 1, y: high, width: max(right - left - 2, 1), height: low - high),
                color: color.faded(to: part.strength))
            sum += max(0, part.value)
        }
        let (middle, head) = ((left + right) / 2, value.clamped(sum))
        if canvas.width(of: bar.number, size: 13) < right - left {
            canvas.text(
                bar.number, at: CGPoint(x: middle, y: head - 5), size: 13, color: color, alignment: .center)
        }
        if !bar.note.isEmpty {
            // Upright in the bar, where it fits at any width of it.
            canvas.text(
                bar.note, at: CGPoint(x: middle + 4, y: value.from - 6), size: 12, color: SessionChart.ink,
                bold: false, rotation: -.pi / 2)
        }
    }
}
