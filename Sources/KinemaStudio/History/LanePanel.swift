import Foundation
import KinemaDraw

/// Time spans in lanes, one lane a name.
struct LanePanel: SessionPanel {
    struct Span {
        var lane: String
        var start: Double
        var end: Double
        var note = ""
    }

    private static let lane = 44.0
    private let spans: [Span]
    private let lanes: [String]
    private let rest: Int

    init(_ spans: [Span]) {
        self.spans = spans
        var seen = Set<String>()
        let names = spans.map(\.lane).filter { seen.insert($0).inserted }
        (lanes, rest) = (Array(names.prefix(Self.mostLanes)), max(0, names.count - Self.mostLanes))
    }

    /// Keeps a chart readable and within Cairo's 32,767 pixels.
    private static let mostLanes = 40

    var height: Double { Double(lanes.count) * Self.lane + 20 }

    func draw(on canvas: Canvas, time: ChartScale, top: Double) {
        for (row, name) in lanes.enumerated() {
            let y = top + Double(row) * Self.lane
            let color = Color.chart(row)
            canvas.text(name, at: CGPoint(x: time.from, y: y + 12), size: 13, color: color)
            canvas.fill(
                CGRect(x: time.from, y: y + 17, width: time.to - time.from, height: 20), color: Color(hex: 0xF1F3F5))
            for span in spans where span.lane == name {
                let (left, right) = (time.clamped(span.start), time.clamped(span.end))
                canvas.fill(
                    CGRect(x: left, y: y + 17, width: max(right - left, 2), height: 20), color: color.faded(to: 0.6))
                if canvas.width(of: span.note, size: 12, bold: false) + 6 < right - left {
                    canvas.text(
                        span.note, at: CGPoint(x: (left + right) / 2, y: y + 31), size: 12, color: SessionChart.ink,
                        bold: false, alignment: .center)
                }
            }
        }
        if rest > 0 {
            canvas.text(
                "and \(rest) more", at: CGPoint(x: time.from, y: top + height - 4), size: 13, color: SessionChart.pale,
                bold: false)
        }
    }
}
