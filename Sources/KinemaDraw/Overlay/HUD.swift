internal import Foundation
internal import KinemaCore

/// A head-up display over an image: a large count and short lines of text, scaled with the image.
public struct HUD: Sendable, Hashable {
    private let count: Int?
    private let caption: String
    private let lines: [String]

    /// Creates a head-up display; nil and empty parts are not drawn. `one` and `several` are the counted noun's forms.
    public init(count: Int? = nil, one: String = "rep", several: String? = nil, lines: [String] = []) {
        self.count = count
        caption = PlainText.noun(count ?? 0, one, several)
        self.lines = lines
    }

    /// Draws the display on a picture; the lowest `bottom` pixels stay free for another overlay.
    func draw(on canvas: Canvas, above bottom: Double = 0) {
        let unit = max(canvas.shortSide / 20, 11)
        if let count { drawCount(count, unit: unit, on: canvas) }
        if !lines.isEmpty {
            let rows = max(Int((canvas.height - bottom - unit * 1.5) / (unit * 1.25)), 1)
            let lines = Array(lines.prefix(rows))
            let height = unit * 1.25 * Double(lines.count) + unit * 0.5
            drawPlate(
                lines, at: CGPoint(x: unit * 0.5, y: canvas.height - bottom - height - unit * 0.5), size: unit,
                on: canvas)
        }
    }

    private func drawCount(_ count: Int, unit: Double, on canvas: Canvas) {
        let number = String(count)
        let size = canvas.size(of: number, atMost: unit * 3.4, fitting: canvas.width - unit * 2)
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
        let limit = canvas.width - size * 1.8
        let fitted = lines.map { canvas.truncated($0, size: size, to: limit) }
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

    /// The background of text: dark enough for a contrast above 7 to 1 even over white (WCAG 2.1, level AAA).
    static let plate = Color(red: 0.04, green: 0.05, blue: 0.08, alpha: 0.72)
}
