package import Foundation
internal import KinemaCore

/// A chart of everyone's movement over time: one panel a person, repetitions as numbered bands, absences in grey.
///
/// The axis across is time in seconds, the axis up the share of the way from a repetition's start to its turn.
package struct RepetitionChart: Sendable {
    /// What stands above the panels.
    package var title: String
    /// One signal a panel, from the top.
    package var signals: [RepetitionSignal]
    /// The end of the time axis, seconds.
    package var duration: Double

    /// Makes a chart of signals over a duration in seconds.
    package init(title: String, signals: [RepetitionSignal], duration: Double) {
        self.title = title
        self.signals = signals
        self.duration = duration
    }

    /// The width of the picture in pixels or points.
    package static let width = 1200.0
    /// The height for the number of panels there are; more people make a higher picture.
    package var height: Double {
        ChartPanel.top + Double(max(signals.count, 1)) * ChartPanel.height + ChartPanel.bottom
    }

    /// Draws the chart, scaled to the canvas.
    package func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        canvas.text(
            fitted(title, to: Self.width - 60, on: canvas), at: CGPoint(x: 70, y: 30), size: 17, color: ChartPanel.ink)
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

    /// Writes the chart as SVG or PNG, by the file's ending.
    ///
    /// Throws `.invalidArgument` for another ending, `.unwritableOutput` when the file cannot be written.
    package func write(to url: URL) throws {
        switch url.pathExtension.lowercased() {
        case "svg": try Canvas.writeSVG(width: Self.width, height: height, to: url) { draw(on: $0) }
        case "png":
            var bitmap = Bitmap(width: Int(Self.width), height: Int(height))
            try bitmap.draw { draw(on: $0) }
            try bitmap.writePNG(to: url)
        default:
            throw KinemaError(
                .invalidArgument, "a chart is written as .svg or .png; end the file's name so", file: url.path)
        }
    }

    private func drawTimeAxis(_ time: ChartScale, on canvas: Canvas) {
        let base = height - ChartPanel.bottom
        let (values, step) = time.ticks(atMost: 15)
        for value in values {
            let x = time.pixel(value)
            canvas.stroke(
                [CGPoint(x: x, y: base), CGPoint(x: x, y: base + 5)], color: ChartPanel.ink, width: 1)
            canvas.text(
                ChartScale.label(value, step: step), at: CGPoint(x: x, y: base + 20), size: 13, color: ChartPanel.ink,
                bold: false, alignment: .center)
        }
        canvas.text(
            "time (s)", at: CGPoint(x: (time.from + time.to) / 2, y: base + 42), size: 14, color: ChartPanel.ink,
            bold: false, alignment: .center)
    }

    private func fitted(_ text: String, to room: Double, on canvas: Canvas) -> String {
        guard canvas.width(of: text, size: 17) > room else { return text }
        var cut = String(text.suffix(200))
        while !cut.isEmpty, canvas.width(of: "..." + cut, size: 17) > room { cut.removeFirst() }
        return "..." + cut
    }
}

extension Color {
    /// A person's colour on white ground: Okabe and Ito's, the light ones darkened to a contrast above 3 to 1.
    package static func chart(_ id: Int) -> Color {
        let colors: [UInt32] = [0x0072B2, 0xC65A00, 0x00805C, 0xA8568A, 0x3D6FA8, 0x8A6D00, 0x5B4FB0, 0x4F7A1E]
        return Color(hex: colors[((id % colors.count) + colors.count) % colors.count])
    }
}
