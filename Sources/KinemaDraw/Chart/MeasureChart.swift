package import Foundation

/// A page of quantities over time with their events, each with its mean and spread over cycles beside it.
package struct MeasureChart {
    package struct Line {
        /// "left", "right" or empty; it chooses the colour.
        package var name: String
        /// One value for each time; nil where unknown.
        package var values: [Double?]
        /// The cycles to average over, seconds.
        package var cycles: [ClosedRange<Double>]

        package init(name: String, values: [Double?], cycles: [ClosedRange<Double>]) {
            (self.name, self.values, self.cycles) = (name, values, cycles)
        }

        fileprivate var color: Color { Color.chart(name == "right" ? 1 : name == "left" ? 0 : 2) }

        /// Mean and standard deviation at shares of a cycle, 0...1, from at least two cycles.
        fileprivate func mean(_ times: [Double]) -> [(share: Double, mean: Double, spread: Double)] {
            guard cycles.count >= 2, times.count >= 2 else { return [] }
            return stride(from: 0, through: 100, by: 2).compactMap { percent in
                let share = Double(percent) / 100
                let values = cycles.compactMap { cycle -> Double? in
                    let time = cycle.lowerBound + share * (cycle.upperBound - cycle.lowerBound)
                    guard let after = times.firstIndex(where: { $0 >= time }), after > 0,
                        let one = self.values[after - 1], let other = self.values[after]
                    else { return nil }
                    return one + (other - one) * (time - times[after - 1]) / (times[after] - times[after - 1])
                }
                guard values.count >= 2 else { return nil }
                let mean = values.reduce(0, +) / Double(values.count)
                let squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
                return (share, mean, (squares / Double(values.count - 1)).squareRoot())
            }
        }
    }

    package typealias Panel = (title: String, unit: String, lines: [Line])

    private let title: String
    private let lines: [String]
    private let times: [Double]
    private let panels: [Panel]
    private let events: [(kind: String, side: String?, time: Double)]
    /// The cycles in words, such as "strides".
    private let cycles: String

    private static let (width, left, right) = (1200.0, 70.0, 820.0)
    private static let (cycleLeft, cycleRight) = (900.0, 1176.0)
    private static let (panelHeight, gap, bottom) = (120.0, 34.0, 56.0)
    private var top: Double { title.isEmpty ? -6 : 56 + 20 * Double(lines.count) }
    private var height: Double { top + Double(max(1, panels.count)) * (Self.panelHeight + Self.gap) + Self.bottom }

    /// A page with a title (empty for none), lines of text, one panel for each quantity from the top, and vertical lines at events.
    package init(
        title: String, lines: [String], times: [Double], panels: [Panel],
        events: [(kind: String, side: String?, time: Double)], cycles: String
    ) {
        (self.title, self.lines, self.times, self.panels) = (title, lines, times, panels)
        (self.events, self.cycles) = (events, cycles)
    }

    package func svg() throws -> Data { try Canvas.svg(width: Self.width, height: height, draw) }

    package func write(to url: URL) throws { try Canvas.write(width: Self.width, height: height, to: url, draw) }

    private func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: Self.width, height: height), color: .white)
        if !title.isEmpty { canvas.title(title, upTo: Self.width - 100) }
        for (row, line) in lines.enumerated() {
            canvas.text(
                line, at: CGPoint(x: Self.left, y: 54 + 20 * Double(row)), size: 13, color: ChartPanel.ink, bold: false)
        }
        if panels.isEmpty { canvas.nobody(at: CGPoint(x: Self.width / 2, y: height / 2)) }
        let time = ChartScale(
            range: (times.first ?? 0)...max(times.last ?? 1, (times.first ?? 0) + 0.1), from: Self.left, to: Self.right)
        for (row, panel) in panels.enumerated() {
            draw(panel, top: top + Double(row) * (Self.panelHeight + Self.gap) + Self.gap, time, on: canvas)
        }
        canvas.timeAxis(time, atMost: 12, y: height - Self.bottom)
        canvas.text("left", at: CGPoint(x: Self.cycleLeft, y: height - 18), size: 13, color: Color.chart(0))
        canvas.text("right", at: CGPoint(x: Self.cycleLeft + 50, y: height - 18), size: 13, color: Color.chart(1))
    }

    private func draw(_ panel: Panel, top: Double, _ time: ChartScale, on canvas: Canvas) {
        let frame = CGRect(x: Self.left, y: top, width: Self.right - Self.left, height: Self.panelHeight)
        let values = panel.lines.flatMap { $0.values.compactMap(\.self) }
        let (low, high) = (values.min() ?? 0, values.max() ?? 1)
        let value = ChartScale(range: low...max(high, low + 1e-3), from: frame.maxY, to: frame.minY)
        canvas.text(
            "\(panel.title), \(panel.unit)", at: CGPoint(x: frame.minX, y: frame.minY - 6), size: 13,
            color: ChartPanel.ink)
        for event in events {
            let x = time.clamped(event.time)
            let isEnd = event.kind == "toe-off" || event.kind == "take-off"
            canvas.stroke(
                [CGPoint(x: x, y: frame.minY), CGPoint(x: x, y: frame.maxY)],
                color: Color.chart(event.side == "right" ? 1 : event.side == "left" ? 0 : 2).faded(to: 0.45), width: 1,
                dash: isEnd ? [3, 3] : [])
        }
        axes(frame, value, on: canvas)
        for line in panel.lines {
            var run: [CGPoint] = []
            for (index, known) in line.values.enumerated() {
                if let known {
                    run.append(CGPoint(x: time.pixel(times[index]), y: value.pixel(known)))
                } else {
                    canvas.stroke(run, color: line.color, width: 1.8)
                    run = []
                }
            }
            canvas.stroke(run, color: line.color, width: 1.8)
        }
        drawMeans(panel, frame, on: canvas)
    }

    private func drawMeans(_ panel: Panel, _ frame: CGRect, on canvas: Canvas) {
        let means = panel.lines.map { $0.mean(times) }
        guard means.contains(where: { !$0.isEmpty }) else { return }
        let all = means.flatMap { $0.flatMap { [$0.mean - $0.spread, $0.mean + $0.spread] } }
        let box = CGRect(
            x: Self.cycleLeft, y: frame.minY, width: Self.cycleRight - Self.cycleLeft, height: frame.height)
        let phase = ChartScale(range: 0...1, from: box.minX, to: box.maxX)
        let value = ChartScale(
            range: (all.min() ?? 0)...max(all.max() ?? 1, (all.min() ?? 0) + 1e-3), from: box.maxY, to: box.minY)
        canvas.text(
            "mean over \(cycles)", at: CGPoint(x: box.minX, y: box.minY - 6), size: 12, color: ChartPanel.pale,
            bold: false)
        axes(box, value, on: canvas)
        for (line, mean) in zip(panel.lines, means) {
            let upper = mean.map { CGPoint(x: phase.pixel($0.share), y: value.pixel($0.mean + $0.spread)) }
            let lower = mean.map { CGPoint(x: phase.pixel($0.share), y: value.pixel($0.mean - $0.spread)) }
            canvas.fill(upper + lower.reversed(), color: line.color.faded(to: 0.16))
            canvas.stroke(
                mean.map { CGPoint(x: phase.pixel($0.share), y: value.pixel($0.mean)) }, color: line.color, width: 2)
        }
    }

    private func axes(_ frame: CGRect, _ value: ChartScale, on canvas: Canvas) {
        canvas.axes(frame, width: 1)
        let (ticks, step) = value.ticks(atMost: 4)
        for tick in ticks {
            canvas.text(
                ChartScale.label(tick, step: step), at: CGPoint(x: frame.minX - 8, y: value.pixel(tick) + 4), size: 11,
                color: ChartPanel.ink, bold: false, alignment: .trailing)
        }
    }
}
