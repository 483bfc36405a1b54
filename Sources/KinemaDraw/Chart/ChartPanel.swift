import Foundation
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
