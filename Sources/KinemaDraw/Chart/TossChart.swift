package import Foundation

/// The summary of a bean-bag toss game, with positions normalised, origin at the lower left.
package struct TossChart {
    private let title: String
    private let throwList: [(path: [CGPoint], text: String)]
    /// The averages below the throws; empty for none.
    private let summary: String
    private let board: [CGPoint]
    /// The picture's width divided by its height.
    private let aspectRatio: Double

    package init(
        title: String, throwList: [(path: [CGPoint], text: String)], summary: String, board: [CGPoint],
        aspectRatio: Double
    ) {
        (self.title, self.summary, self.throwList, self.board) = (title, summary, throwList, board)
        self.aspectRatio = aspectRatio
    }

    private static let width = 1000.0
    private static let ink = Color(hex: 0x22262B)
    private var field: CGRect { CGRect(x: 30, y: 60, width: 940, height: 940 / min(max(aspectRatio, 0.4), 4)) }
    private var height: Double { field.maxY + 30 + 24 * Double(max(throwList.count + 1, 2)) }

    func draw(on canvas: Canvas) {
        canvas.fill(CGRect(x: 0, y: 0, width: canvas.width, height: canvas.height), color: .white)
        canvas.text(title, at: CGPoint(x: 30, y: 36), size: 18, color: Self.ink)
        Self.draw(throwList.map(\.path), board: board, in: field, on: canvas)
        for (index, toss) in throwList.enumerated() {
            let color = Color.chart(index)
            let y = field.maxY + 30 + 24 * Double(index)
            canvas.disc(at: CGPoint(x: 40, y: y - 5), radius: 6, color: color)
            canvas.text(toss.text, at: CGPoint(x: 56, y: y), size: 15, color: Self.ink, bold: false)
        }
        let base = field.maxY + 30 + 24 * Double(throwList.count)
        canvas.text(summary, at: CGPoint(x: 30, y: base), size: 15, color: Self.ink)
        if throwList.isEmpty {
            canvas.text(
                "no throws", at: CGPoint(x: field.midX, y: field.midY), size: 16, color: Self.ink, alignment: .center)
        }
    }

    package func write(to url: URL) throws {
        try Canvas.write(width: Self.width, height: height, to: url) { draw(on: $0) }
    }

    /// Draws the paths of throws and the board in a part of a canvas in pixels.
    package static func draw(_ paths: [[CGPoint]], board: [CGPoint], in field: CGRect, on canvas: Canvas) {
        func pixel(_ point: CGPoint) -> CGPoint {
            CGPoint(x: field.minX + point.x * field.width, y: field.maxY - point.y * field.height)
        }
        canvas.fill(field, color: Color(hex: 0xF1F3F5))
        canvas.fill(board.map(pixel), color: Color(hex: 0xC9CED6))
        for (index, path) in paths.enumerated() {
            let color = Color.chart(index)
            canvas.stroke(path.map(pixel), color: color, width: 2.5)
            if let end = path.last.map(pixel) { canvas.disc(at: end, radius: 5, color: color) }
        }
    }
}
