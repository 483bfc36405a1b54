import Foundation

/// The dashboard: a speed dial to 30 mph that starts at 5 pi/6 and sweeps 4 pi/3, as in Apple's sample, beside text.
struct Gauge {
    let dashboard: TossOverlay.Dashboard
    let unit: Double
    /// The frame, wide enough for every line.
    let plate: CGRect
    /// The lines beside the dial, and where the second column begins.
    private let lines: [(name: String, value: String)]
    private let column: Double

    init(dashboard: TossOverlay.Dashboard, unit: Double, canvas: Canvas) {
        (self.dashboard, self.unit) = (dashboard, unit)
        let angle = dashboard.angle.map { String(format: "%.0f", $0) + "\u{B0}" } ?? "-"
        let sure = dashboard.typeConfidence.map { String(format: " %.0f %%", $0 * 100) } ?? ""
        let distance = dashboard.distance.map { String(format: "%.1f ft", $0) } ?? "-"
        let end = dashboard.maxThrows == .max ? "" : "/\(dashboard.maxThrows)"
        let facts: [(name: String, value: String)] = [
            ("angle", angle), ("distance", distance), ("score", String(dashboard.score)),
            ("throw", "\(dashboard.throwCount)\(end)"),
        ]
        let names =
            (["type"] + facts.map(\.name)).map { canvas.width(of: $0, size: unit * 0.8, bold: false) }.max() ?? 0
        column = max(unit * 9, unit * 5.3 + names)
        // The name of a style is cut at the picture's edge; its confidence stays.
        let room = canvas.width - unit * 1.6 - column - canvas.width(of: sure, size: unit * 0.9)
        lines = [("type", canvas.truncated(dashboard.type, size: unit * 0.9, to: room) + sure)] + facts
        let values = lines.map { canvas.width(of: $0.value, size: unit * 0.9) }.max() ?? 0
        plate = CGRect(
            x: unit * 0.5, y: unit * 0.5, width: max(unit * 15, column + values + unit * 0.6), height: unit * 5.6)
    }

    private static let limit = 30.0
    private static let start = 5 * Double.pi / 6
    private static let sweep = 4 * Double.pi / 3

    func draw(on canvas: Canvas) {
        canvas.fill(plate, cornerRadius: unit * 0.5, color: HUD.plate)
        let center = CGPoint(x: plate.minX + unit * 2.4, y: plate.minY + unit * 3)
        let radius = unit * 1.75
        canvas.stroke(arc(center, radius, share: 1), color: .white.faded(to: 0.25), width: unit * 0.36)
        if let speed = dashboard.speed {
            let share = min(max(speed / Self.limit, 0), 1)
            canvas.stroke(arc(center, radius, share: share), color: Color(hex: 0xFFD23F), width: unit * 0.36)
        }
        let speed = dashboard.speed.map { String(format: "%.1f", $0) } ?? "-"
        canvas.text(
            speed, at: CGPoint(x: center.x, y: center.y + unit * 0.35),
            size: canvas.size(of: speed, atMost: unit * 1.25, fitting: unit * 2.9), color: .white, alignment: .center)
        canvas.text(
            "mph", at: CGPoint(x: center.x, y: center.y + unit * 1.3), size: unit * 0.75,
            color: .white.faded(to: 0.85), alignment: .center)
        for (row, line) in lines.enumerated() {
            let y = plate.minY + unit * (1.15 + 1.02 * Double(row))
            canvas.text(
                line.name, at: CGPoint(x: plate.minX + unit * 4.9, y: y), size: unit * 0.8,
                color: .white.faded(to: 0.75), bold: false)
            canvas.text(line.value, at: CGPoint(x: plate.minX + column, y: y), size: unit * 0.9, color: .white)
        }
    }

    private func arc(_ center: CGPoint, _ radius: Double, share: Double) -> [CGPoint] {
        let steps = max(2, Int(48 * share))
        return (0...steps).map { step in
            let angle = Self.start + Self.sweep * share * Double(step) / Double(steps)
            return CGPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
        }
    }
}
