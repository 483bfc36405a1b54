package import Foundation
import KinemaCore

/// One person's panel of a chart: the signal, its repetitions and a vertical axis.
package struct ChartPanel {
    static let top = 50.0, height = 220.0, bottom = 56.0
    package static let ink = Color(hex: 0x22262B)
    package static let pale = Color(hex: 0x8A9099)

    let signal: RepetitionSignal
    let time: ChartScale
    private let value: ChartScale
    private let color: Color
    private let frame: CGRect

    init(signal: RepetitionSignal, time: ChartScale, top: Double) {
        (self.signal, self.time) = (signal, time)
        color = Color.chart(signal.id)
        frame = CGRect(x: time.from, y: top + 24, width: time.to - time.from, height: Self.height - 34)
        let values = signal.samples.compactMap(\.value).filter(\.isFinite)
        // The axis covers ordinary values; outliers are drawn at its edge.
        let low = max(min(values.min() ?? 0, -0.1), -0.5)
        let high = min(max((values.max() ?? 1) + 0.25, 1.3), 2)
        value = ChartScale(range: low...high, from: frame.maxY, to: frame.minY)
    }

    func draw(on canvas: Canvas) {
        let count = signal.repetitions.count + signal.repetitionsBefore
        canvas.text(
            "person \(signal.id): \(PlainText.counted(count, "repetition"))",
            at: CGPoint(x: frame.minX, y: frame.minY - 7), size: 14, color: color)
        drawAbsences(on: canvas)
        drawBands(on: canvas)
        drawGrid(on: canvas)
        drawLine(on: canvas)
    }

    private func drawAbsences(on canvas: Canvas) {
        for absence in signal.absences {
            let box = time.box(absence, in: frame)
            canvas.fill(box, color: Color(hex: 0xECEDEF))
            if canvas.width(of: "not seen", size: 12, bold: false) < box.width - 6 {
                canvas.text(
                    "not seen", at: CGPoint(x: box.midX, y: box.midY), size: 12, color: Self.pale, bold: false,
                    alignment: .center)
            }
        }
    }

    private func drawBands(on canvas: Canvas) {
        for (index, repetition) in signal.repetitions.enumerated() {
            let box = time.box(repetition, in: frame)
            // Neighbouring bands alternate between two shades so that their borders show.
            canvas.fill(box, color: color.faded(to: index % 2 == 0 ? 0.2 : 0.1))
            for x in [box.minX, box.maxX] {
                canvas.stroke(
                    [CGPoint(x: x, y: box.minY), CGPoint(x: x, y: box.maxY)], color: color.faded(to: 0.55), width: 1)
            }
            let number = String(signal.repetitionsBefore + index + 1)
            if canvas.width(of: number, size: 13) < box.width {
                canvas.text(
                    number, at: CGPoint(x: box.midX, y: box.minY + 15), size: 13, color: color, alignment: .center)
            }
        }
    }

    private func drawGrid(on canvas: Canvas) {
        canvas.valueGrid(value, in: frame)
        canvas.axes(frame, width: 1.2)
        canvas.text(
            "progress (0 start, 1 turn)", at: CGPoint(x: 20, y: frame.midY), size: 13, color: Self.ink, bold: false,
            alignment: .center, rotation: -.pi / 2)
    }

    private func drawLine(on canvas: Canvas) {
        for run in signal.runs {
            let points = thinned(run.map { CGPoint(x: time.clamped($0.time), y: value.clamped($0.value)) })
            canvas.stroke(points, color: color, width: 1.8)
        }
    }

    /// Keeps only the highest and the lowest point of every half pixel, so that an hour's chart stays a small file.
    private func thinned(_ points: [CGPoint]) -> [CGPoint] {
        guard points.count > Int(frame.width) * 4 else { return points }
        var kept: [CGPoint] = []
        for column in points.chunked(by: { ($0.x * 2).rounded(.down) == ($1.x * 2).rounded(.down) }) {
            guard let low = column.min(by: { $0.y < $1.y }), let high = column.max(by: { $0.y < $1.y }) else {
                continue
            }
            kept += low == high ? [low] : [low, high]
        }
        return kept
    }
}

extension Array {
    /// Splits the array wherever the predicate is false for two neighbours.
    fileprivate func chunked(by belongTogether: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where !belongTogether(self[index - 1], self[index]) {
            chunks.append(self[start..<index])
            start = index
        }
        if start < endIndex { chunks.append(self[start...]) }
        return chunks
    }
}

/// A linear axis: maps values to pixels and picks round tick values.
package struct ChartScale {
    private let range: ClosedRange<Double>
    /// The pixels of the range's lower and upper bound; either may be the greater.
    package let from, to: Double

    package init(range: ClosedRange<Double>, from: Double, to: Double) {
        (self.range, self.from, self.to) = (range, from, to)
    }

    package func pixel(_ value: Double) -> Double {
        let width = range.upperBound - range.lowerBound
        return from + (to - from) * (width > 0 ? (value - range.lowerBound) / width : 0)
    }

    package func clamped(_ value: Double) -> Double { pixel(min(max(value, range.lowerBound), range.upperBound)) }

    /// The part of a frame over a span of values, at least `least` pixels wide.
    func box(_ span: ClosedRange<Double>, in frame: CGRect, least: Double = 0) -> CGRect {
        let (left, right) = (clamped(span.lowerBound), clamped(span.upperBound))
        return CGRect(x: left, y: frame.minY, width: max(right - left, least), height: frame.height)
    }

    /// At most about `limit` round values in the range, and the step between them: 1, 2 or 5 times a power of ten.
    package func ticks(atMost limit: Int) -> (values: [Double], step: Double) {
        let width = range.upperBound - range.lowerBound
        guard width > 0, width.isFinite, limit > 0 else { return ([range.lowerBound], 1) }
        let rough = width / Double(limit)
        let power = pow(10, floor(log10(rough)))
        let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? 10 * power
        let first = (range.lowerBound / step - 1e-9).rounded(.up)
        let last = (range.upperBound / step + 1e-9).rounded(.down)
        // A range too narrow for double precision has no ticks.
        guard step > 0, first <= last, last - first <= Double(limit), abs(first) < 1e15, abs(last) < 1e15 else {
            return ([], step > 0 ? step : 1)
        }
        return ((Int(first)...Int(last)).map { Double($0) * step }, step)
    }

    /// A tick's label, with as many decimals as the step between ticks needs.
    package static func label(_ value: Double, step: Double) -> String {
        String(format: "%.\(step >= 1 ? 0 : step >= 0.1 ? 1 : 2)f", value == 0 ? 0 : value)
    }
}

extension Canvas {
    /// Draws a chart's title, or only its end if it is too long.
    package func title(_ title: String, upTo limit: Double) {
        var cut = title
        if width(of: title, size: 17) > limit {
            cut = String(title.suffix(200))
            while !cut.isEmpty, width(of: "..." + cut, size: 17) > limit { cut.removeFirst() }
            cut = "..." + cut
        }
        text(cut, at: CGPoint(x: 70, y: 30), size: 17, color: ChartPanel.ink)
    }

    func timeTicks(_ time: ChartScale, atMost limit: Int, y: Double, isAbove: Bool) {
        let (values, step) = time.ticks(atMost: limit)
        for value in values {
            let x = time.pixel(value)
            let tick = isAbove ? y + 16 : y
            stroke([CGPoint(x: x, y: tick), CGPoint(x: x, y: tick + 5)], color: ChartPanel.ink, width: 1)
            text(
                ChartScale.label(value, step: step), at: CGPoint(x: x, y: isAbove ? y + 12 : y + 20), size: 13,
                color: ChartPanel.ink, bold: false, alignment: .center)
        }
    }

    func timeAxis(_ time: ChartScale, atMost limit: Int, y: Double) {
        timeTicks(time, atMost: limit, y: y, isAbove: false)
        text(
            "time (s)", at: CGPoint(x: (time.from + time.to) / 2, y: y + 42), size: 14, color: ChartPanel.ink,
            bold: false, alignment: .center)
    }

    /// Draws the lines and the numbers of a vertical axis to the left of a frame.
    package func valueGrid(_ value: ChartScale, in frame: CGRect) {
        let (ticks, step) = value.ticks(atMost: 5)
        for tick in ticks {
            let y = value.pixel(tick)
            stroke([CGPoint(x: frame.minX, y: y), CGPoint(x: frame.maxX, y: y)], color: Color(hex: 0xE3E6EA), width: 1)
            text(
                ChartScale.label(tick, step: step), at: CGPoint(x: frame.minX - 8, y: y + 4.5), size: 13,
                color: ChartPanel.ink, bold: false, alignment: .trailing)
        }
    }

    /// Draws the left and the lower edge of a frame.
    package func axes(_ frame: CGRect, width: Double) {
        stroke([0, 3, 2].map { frame.corners[$0] }, color: ChartPanel.ink, width: width)
    }

    func nobody(at center: CGPoint) {
        text("no person was seen", at: center, size: 15, color: ChartPanel.pale, alignment: .center)
    }
}

/// A strip chart of each person's last seconds of movement along the lower edge of an image, scaled with it.
public struct StripChart: Sendable, Hashable {
    private let signals: [RepetitionSignal]
    /// The time at the right edge, and the time from the left edge to it, in seconds.
    private let now, seconds: Double

    /// The maximum number of lanes; more would be too low to read.
    package static let lanes = 4

    /// Makes a strip of the last seconds up to `now`, with one lane for each of the first `lanes` signals.
    package init(signals: [RepetitionSignal], now: Double, seconds: Double = 8) {
        self.signals = Array(signals.prefix(Self.lanes))
        (self.now, self.seconds) = (now, seconds)
    }

    /// The strip's height in pixels, including its margin; 0 without signals.
    func height(on canvas: Canvas) -> Double {
        signals.isEmpty ? 0 : canvas.shortSide * (0.1 + 0.06 * Double(signals.count)) + canvas.shortSide * 0.025
    }

    func draw(on canvas: Canvas) {
        guard !signals.isEmpty else { return }
        let edge = canvas.shortSide * 0.025
        let plate = CGRect(
            x: edge, y: canvas.height - height(on: canvas), width: canvas.width - 2 * edge,
            height: height(on: canvas) - edge)
        canvas.fill(plate, cornerRadius: edge * 0.8, color: HUD.plate)
        let inner = plate.insetBy(dx: edge * 0.5, dy: edge * 0.4)
        let lane = inner.height / Double(signals.count)
        for (row, signal) in signals.enumerated() {
            let box = CGRect(x: inner.minX, y: inner.minY + Double(row) * lane, width: inner.width, height: lane)
            draw(signal, in: box.insetBy(dx: 0, dy: lane * 0.06), on: canvas)
        }
    }

    private func draw(_ signal: RepetitionSignal, in box: CGRect, on canvas: Canvas) {
        let color = Color.person(signal.id)
        let time = ChartScale(range: now - seconds...now, from: box.minX, to: box.maxX)
        let value = ChartScale(range: -0.15...1.7, from: box.maxY, to: box.minY)
        let size = max(canvas.shortSide * 0.04, 9)
        for (index, repetition) in signal.repetitions.enumerated() where repetition.upperBound > now - seconds {
            let (left, right) = (time.clamped(repetition.lowerBound), time.clamped(repetition.upperBound))
            canvas.fill(
                CGRect(x: left, y: box.minY, width: right - left, height: box.height),
                color: color.faded(to: index % 2 == signal.repetitionsBefore % 2 ? 0.32 : 0.2))
            canvas.stroke(
                [CGPoint(x: right, y: box.minY), CGPoint(x: right, y: box.maxY)], color: color,
                width: max(canvas.shortSide * 0.003, 1))
            let number = String(signal.repetitionsBefore + index + 1)
            guard canvas.width(of: number, size: size) < right - left else { continue }
            canvas.text(
                number, at: CGPoint(x: (left + right) / 2, y: box.minY + size), size: size, color: .white,
                alignment: .center)
        }
        let width = max(canvas.shortSide * 0.006, 1.3)
        for run in signal.runs {
            let points = run.filter { $0.time >= now - seconds }
                .map { CGPoint(x: time.clamped($0.time), y: value.clamped($0.value)) }
            canvas.stroke(points, color: color, width: width)
        }
    }
}
