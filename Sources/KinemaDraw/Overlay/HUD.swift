internal import Foundation
internal import KinemaCore

/// What stands written over a picture: a big count and short lines of text.
///
/// Everything is sized by the picture's shorter side, so it reads the same at 320x240 and at 3840x2160.
public struct HUD: Sendable, Hashable {
    /// The number drawn big; none when nil.
    public var count: Int?
    /// The word under the count.
    public var caption: String
    /// Short lines at the lower left.
    public var lines: [String]

    /// Makes a head-up display; what is nil or empty is not drawn. `one` and `several` are the noun of what is counted.
    public init(
        count: Int? = nil, one: String = "rep", several: String? = nil, lines: [String] = []
    ) {
        self.count = count
        caption = PlainText.noun(count ?? 0, one, several)
        self.lines = lines
    }

    /// Draws the display on a picture, above `bottom` pixels that something else takes at its lower edge.
    public func draw(on canvas: Canvas, above bottom: Double = 0) {
        let unit = max(canvas.shortSide / 20, 11)
        if let count { drawCount(count, unit: unit, on: canvas) }
        if !lines.isEmpty {
            let height = unit * 1.25 * Double(lines.count) + unit * 0.5
            drawPlate(
                lines, at: CGPoint(x: unit * 0.5, y: canvas.height - bottom - height - unit * 0.5), size: unit,
                on: canvas)
        }
    }

    private func drawCount(_ count: Int, unit: Double, on canvas: Canvas) {
        let size = unit * 3.4
        let number = String(count)
        let width = max(canvas.width(of: number, size: size), canvas.width(of: caption, size: unit)) + unit
        let height = caption.isEmpty ? unit * 3.3 : unit * 4.4
        let plate = CGRect(x: unit * 0.5, y: unit * 0.5, width: width, height: height)
        canvas.fill(plate, cornerRadius: unit * 0.5, color: Self.plate)
        canvas.text(
            number, at: CGPoint(x: plate.midX, y: plate.minY + unit * 2.9), size: size, color: .white,
            alignment: .center)
        canvas.text(
            caption, at: CGPoint(x: plate.midX, y: plate.minY + unit * 4), size: unit, color: .white.faded(to: 0.85),
            alignment: .center)
    }

    private func drawPlate(_ lines: [String], at corner: CGPoint, size: Double, on canvas: Canvas) {
        let room = canvas.width - size * 1.8
        let fitted = lines.map { fit($0, size: size, room: room, on: canvas) }
        let width = fitted.map { canvas.width(of: $0, size: size) }.max() ?? 0
        let plate = CGRect(
            x: max(corner.x, 0), y: max(corner.y, 0), width: width + size * 0.9,
            height: size * 1.25 * Double(fitted.count) + size * 0.5)
        canvas.fill(plate, cornerRadius: size * 0.4, color: Self.plate)
        for (row, line) in fitted.enumerated() {
            let base = CGPoint(x: plate.minX + size * 0.45, y: plate.minY + size * (1.2 + 1.25 * Double(row)))
            canvas.text(line, at: base, size: size, color: .white)
        }
    }

    /// The line cut to the picture's width.
    private func fit(_ line: String, size: Double, room: Double, on canvas: Canvas) -> String {
        guard canvas.width(of: line, size: size) > room else { return line }
        var cut = String(line.prefix(200))
        while !cut.isEmpty, canvas.width(of: cut + "...", size: size) > room { cut.removeLast() }
        return cut + "..."
    }

    /// Dark enough that white text on it has a contrast above 7 to 1 over a white picture (WCAG 2.1, level AAA).
    static let plate = Color(red: 0.04, green: 0.05, blue: 0.08, alpha: 0.72)
}
