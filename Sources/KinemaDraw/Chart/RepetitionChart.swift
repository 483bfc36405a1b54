public import Foundation

/// A chart of each person's progress from start to turn over time in seconds, with repetitions as numbered bands.
public struct RepetitionChart: Sendable {
    private let title: String
    private let signals: [RepetitionSignal]
    private let duration: Double

    /// Creates a chart with a title, one panel for each signal from the top, and a time axis of `duration` seconds.
    public init(title: String, signals: [RepetitionSignal], duration: Double) {
        (self.title, self.signals, self.duration) = (title, signals, duration)
    }

    /// In pixels or points.
    static let width = 1200.0
    var height: Double { ChartPanel.top + Double(max(signals.count, 1)) * ChartPanel.height + ChartPanel.bottom }

    func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        canvas.title(title, upTo: Self.width - 60)
        let time = ChartScale(range: 0...max(duration, 0.1), from: 70, to: Self.width - 24)
        if signals.isEmpty {
            canvas.nobody(at: CGPoint(x: Self.width / 2, y: ChartPanel.top + ChartPanel.height / 2))
        }
        for (row, signal) in signals.enumerated() {
            ChartPanel(signal: signal, time: time, top: ChartPanel.top + Double(row) * ChartPanel.height)
                .draw(on: canvas)
        }
        canvas.timeAxis(time, atMost: 15, y: height - ChartPanel.bottom)
    }

    /// Writes the chart as `.svg` or `.png`; throws `.invalidArgument` for another extension, `.unwritableOutput`.
    public func write(to url: URL) throws {
        try Canvas.write(width: Self.width, height: height, to: url) { draw(on: $0) }
    }
}
