package import Foundation
import KinemaCore

/// The overlay of a bean-bag toss game, and its summary at the end; positions are normalised, origin at the lower left.
public struct TossOverlay: Sendable {
    /// The last throw's speed in miles an hour, angle in degrees above the horizontal and distance in feet, nil before the
    /// first throw, and the score; a `maxThrows` of `Int.max` is not shown.
    package typealias Dashboard = (
        speed: Double?, angle: Double?, type: String, typeConfidence: Double?, distance: Double?, score: Int,
        throwCount: Int, maxThrows: Int
    )

    private let board: [CGPoint]
    /// The centre of the hole; nil if it was not found.
    private let hole: CGPoint?
    /// The box around the player; nil while there is none in view.
    package var player: CGRect?
    /// The ends of the line on the ground that bags are thrown from behind, and its name.
    package var line: (ends: [CGPoint], name: String)?
    /// The target box for the board; nil once it is no longer needed.
    package var guide: CGRect?
    private let path: [CGPoint]
    /// The paths of all throws and the averages; nil until the game is over.
    package var summary: (paths: [[CGPoint]], figures: [(name: String, value: String)])?
    private let dashboard: Dashboard
    /// The points of the last throw, such as "+3", and how far they have faded from 0 (new) to 1 (gone).
    package var points: (text: String, fade: Double)?
    /// A short notice at the top; empty for none.
    private let notice: String

    package init(
        board: [CGPoint], hole: CGPoint?, path: [CGPoint], dashboard: Dashboard, notice: String = ""
    ) { (self.board, self.hole, self.path, self.dashboard, self.notice) = (board, hole, path, dashboard, notice) }

    func draw(on canvas: Canvas) {
        let unit = canvas.shortSide / 20
        drawField(unit, on: canvas)
        if board.count >= 3 {
            canvas.stroke(
                (board + board.prefix(1)).map(canvas.pixel(of:)), color: Self.boardColor, width: max(unit * 0.09, 1.5),
                outline: 1)
        }
        if let hole {
            canvas.circle(at: canvas.pixel(of: hole), radius: unit * 0.22, color: Self.boardColor, width: 1.5)
        }
        drawPath(path, Self.pathColor, unit, on: canvas)
        drawPoints(unit, on: canvas)
        if let summary { drawSummary(summary, unit, on: canvas) }
        let gauge = Gauge(dashboard: dashboard, unit: unit, canvas: canvas)
        gauge.draw(on: canvas)
        if !notice.isEmpty { drawNotice(unit, beside: gauge.plate, on: canvas) }
    }

    private func drawField(_ unit: Double, on canvas: Canvas) {
        if let line, line.ends.count == 2 {
            let ends = line.ends.map(canvas.pixel(of:))
            canvas.stroke(ends, color: .white, width: max(unit * 0.12, 1.5), outline: 1)
            if let near = ends.max(by: { $0.y < $1.y }) {
                let half = canvas.width(of: line.name, size: unit * 0.75) / 2
                let place = CGPoint(
                    x: min(max(near.x, half + unit * 0.3), canvas.width - half - unit * 0.3),
                    y: min(max(near.y + unit * 0.95, unit), canvas.height - unit * 0.3))
                canvas.text(line.name, at: place, size: unit * 0.75, color: .white, shadow: .outline, offset: 1)
            }
        }
        if let player { draw(player, .white.faded(to: 0.8), unit, on: canvas) }
        if let guide { draw(guide, Self.pathColor, unit, on: canvas) }
    }

    private func draw(_ box: CGRect, _ color: Color, _ unit: Double, on canvas: Canvas) {
        let corners = box.corners + box.corners.prefix(1)
        canvas.stroke(corners.map(canvas.pixel(of:)), color: color, width: max(unit * 0.07, 1), outline: 1)
    }

    private func drawPath(_ path: [CGPoint], _ color: Color, _ unit: Double, on canvas: Canvas) {
        guard path.count >= 2, let tip = path.last.map(canvas.pixel(of:)) else { return }
        let line = path.map(canvas.pixel(of:))
        canvas.stroke(line, color: color.faded(to: 0.35), width: unit * 0.55)
        canvas.stroke(line, color: color, width: unit * 0.2)
        canvas.disc(at: tip, radius: unit * 0.3, color: .white)
    }

    private func drawSummary(
        _ summary: (paths: [[CGPoint]], figures: [(name: String, value: String)]), _ unit: Double, on canvas: Canvas
    ) {
        for (index, path) in summary.paths.enumerated() { drawPath(path, .person(index), unit, on: canvas) }
        func widths(_ size: Double) -> (names: Double, values: Double) {
            (
                summary.figures.map { canvas.width(of: $0.name, size: size, bold: false) }.max() ?? 0,
                summary.figures.map { canvas.width(of: $0.value, size: size) }.max() ?? 0
            )
        }
        let whole = widths(unit * 0.85)
        let unit = unit * min(1, (canvas.width - unit) / (whole.names + whole.values + unit * 2))
        let size = unit * 0.85
        let (names, values) = widths(size)
        let (width, height) = (names + values + unit * 2, unit * (0.7 + 1.2 * Double(summary.figures.count)))
        let plate = CGRect(
            x: (canvas.width - width) / 2, y: (canvas.height - height) / 2, width: width, height: height)
        canvas.fill(plate, cornerRadius: unit * 0.5, color: HUD.plate)
        for (row, figure) in summary.figures.enumerated() {
            let y = plate.minY + unit * (1.2 + 1.2 * Double(row))
            canvas.text(
                figure.name, at: CGPoint(x: plate.minX + unit * 0.6, y: y), size: size,
                color: .white.faded(to: 0.75), bold: false)
            canvas.text(
                figure.value, at: CGPoint(x: plate.minX + names + unit * 1.4, y: y), size: size, color: .white)
        }
    }

    /// Draws the notice as close to the middle as the dashboard permits, or below it in a narrow picture.
    private func drawNotice(_ unit: Double, beside dashboard: CGRect, on canvas: Canvas) {
        let size = unit * 0.9
        let text = canvas.truncated(notice, size: size, to: canvas.width - unit * 2)
        let (margin, width) = (unit * 0.5, canvas.width(of: text, size: size) + unit)
        let isBeside = dashboard.maxX + width + 2 * margin <= canvas.width
        let middle =
            isBeside
            ? min(
                max(canvas.width / 2, dashboard.maxX + margin + width / 2), canvas.width - margin - width / 2)
            : canvas.width / 2
        let plate = CGRect(
            x: middle - width / 2, y: isBeside ? margin : dashboard.maxY + margin, width: width, height: unit * 1.5)
        canvas.fill(plate, cornerRadius: unit * 0.4, color: HUD.plate)
        canvas.text(
            text, at: CGPoint(x: middle, y: plate.minY + unit * 1.05), size: size, color: .white, alignment: .center)
    }

    private func drawPoints(_ unit: Double, on canvas: Canvas) {
        guard let points, points.fade < 1, !board.isEmpty else { return }
        let top = board.map(canvas.pixel(of:)).min { $0.y < $1.y } ?? .zero
        let middle = board.map { canvas.pixel(of: $0).x }.reduce(0, +) / Double(board.count)
        let half = canvas.width(of: points.text, size: unit * 2.4) / 2 + unit * 0.2
        let position = CGPoint(
            x: min(max(middle, half), max(canvas.width - half, half)),
            y: max(top.y - unit * (1 + 2.5 * points.fade), unit * 2))
        canvas.text(
            points.text, at: position, size: unit * 2.4, color: Self.pathColor.faded(to: 1 - points.fade),
            shadow: .black.faded(to: 0.6 * (1 - points.fade)), offset: 2)
    }

    private static let pathColor = Color(hex: 0xFFD23F)
    private static let boardColor = Color(hex: 0x1FD6A0)
}

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
