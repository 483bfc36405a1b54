public import Foundation
import KinemaCore

/// A chart of each person's movement over time, with repetitions as numbered bands and absences in grey.
///
/// The horizontal axis is time in seconds. The vertical axis is the progress from a repetition's start to its turn.
public struct RepetitionChart: Sendable {
    /// The title above the panels.
    public var title: String
    /// One signal per panel, from the top.
    public var signals: [RepetitionSignal]
    /// The end of the time axis in seconds.
    public var duration: Double

    /// Creates a chart of signals over a duration in seconds.
    public init(title: String, signals: [RepetitionSignal], duration: Double) {
        self.title = title
        self.signals = signals
        self.duration = duration
    }

    /// The chart's width in pixels or points.
    public static let width = 1200.0
    /// The chart's height in pixels or points; it grows with the number of panels.
    public var height: Double {
        ChartPanel.top + Double(max(signals.count, 1)) * ChartPanel.height + ChartPanel.bottom
    }

    /// Draws the chart in its own size on a canvas.
    public func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        canvas.title(title, upTo: Self.width - 60)
        let end = max(duration, 0.1)
        let time = ChartScale(range: 0...end, from: 70, to: Self.width - 24)
        if signals.isEmpty {
            canvas.text(
                "nobody was seen", at: CGPoint(x: Self.width / 2, y: ChartPanel.top + ChartPanel.height / 2), size: 15,
                color: ChartPanel.pale, alignment: .center)
        }
        for (row, signal) in signals.enumerated() {
            ChartPanel(signal: signal, time: time, top: ChartPanel.top + Double(row) * ChartPanel.height)
                .draw(on: canvas)
        }
        drawTimeAxis(time, on: canvas)
    }

    /// Writes the chart as SVG or PNG, depending on the file's extension.
    ///
    /// Throws `.invalidArgument` for any other extension, `.unwritableOutput` when the file cannot be written.
    public func write(to url: URL) throws {
        try Canvas.write(width: Self.width, height: height, to: url) { draw(on: $0) }
    }

    private func drawTimeAxis(_ time: ChartScale, on canvas: Canvas) {
        let base = height - ChartPanel.bottom
        canvas.timeTicks(time, atMost: 15, y: base, isAbove: false)
        canvas.text(
            "time (s)", at: CGPoint(x: (time.from + time.to) / 2, y: base + 42), size: 14, color: ChartPanel.ink,
            bold: false, alignment: .center)
    }
}

extension Canvas {
    /// Draws a chart's title, of which the end is kept where it is too long.
    func title(_ title: String, upTo limit: Double) {
        var cut = title
        if width(of: title, size: 17) > limit {
            cut = String(title.suffix(200))
            while !cut.isEmpty, width(of: "..." + cut, size: 17) > limit { cut.removeFirst() }
            cut = "..." + cut
        }
        text(cut, at: CGPoint(x: 70, y: 30), size: 17, color: ChartPanel.ink)
    }

    /// Draws the ticks of a time axis below a height, or with the labels above the ticks.
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
}

extension Color {
    /// A person's colour on white: Okabe and Ito's palette, darkened where the contrast was below 3 to 1.
    public static func chart(_ id: Int) -> Color {
        let colors: [UInt32] = [0x0072B2, 0xC65A00, 0x00805C, 0xA8568A, 0x3D6FA8, 0x8A6D00, 0x5B4FB0, 0x4F7A1E]
        return Color(hex: colors[((id % colors.count) + colors.count) % colors.count])
    }
}
