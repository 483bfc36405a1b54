internal import Foundation

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
