package import Foundation
package import KinemaCore

/// A picture of a confusion matrix: true classes in rows, predicted classes in columns, darker for higher shares.
package struct ConfusionChart {
    private let labels: [String]
    /// The number of samples for each true class (row) and predicted class (column).
    private let counts: [[Int]]
    private let title: String

    package init(labels: [String], counts: [[Int]], title: String) {
        (self.labels, self.counts, self.title) = (labels, counts, title)
    }

    private static let cell = 72.0, text = 15.0
    private static let ink = Color(hex: 0x1B1F24)
    /// The colour of correct predictions; wrong ones have the colour of faults.
    private static let correct = Color(hex: 0x1F77B4)

    private var margin: Double { max(90, Double(labels.map(\.count).max() ?? 0) * Self.text * 0.62 + 24) }
    /// In pixels or points.
    private var size: (width: Double, height: Double) {
        let side = Self.cell * Double(max(1, labels.count))
        return ((margin + side + 24).rounded(.down), (margin + side + 64).rounded(.down))
    }

    package func bitmap() throws -> Bitmap {
        var bitmap = Bitmap(width: Int(size.width), height: Int(size.height), red: 255, green: 255, blue: 255)
        try bitmap.draw(draw)
        return bitmap
    }

    package func svg() throws -> Data {
        try Canvas.svg(width: size.width, height: size.height) { canvas in
            canvas.fill(CGRect(x: 0, y: 0, width: size.width, height: size.height), color: .white)
            draw(on: canvas)
        }
    }

    private func draw(on canvas: Canvas) {
        canvas.text(title, at: CGPoint(x: 16, y: 28), size: 17, color: Self.ink)
        canvas.text(
            "rows: true class, columns: predicted class", at: CGPoint(x: 16, y: 50), size: 13,
            color: Self.ink.faded(to: 0.7), bold: false)
        for (row, label) in labels.enumerated() {
            draw(label, row: row, on: canvas, origin: CGPoint(x: margin, y: margin + 40))
        }
    }

    private func draw(_ label: String, row: Int, on canvas: Canvas, origin: CGPoint) {
        let middle = origin.y + (Double(row) + 0.5) * Self.cell
        canvas.text(
            label, at: CGPoint(x: origin.x - 10, y: middle + 5), size: Self.text, color: Self.ink, bold: false,
            alignment: .trailing)
        canvas.text(
            label, at: CGPoint(x: origin.x + (Double(row) + 0.5) * Self.cell + 5, y: origin.y - 10), size: Self.text,
            color: Self.ink, bold: false, rotation: -.pi / 2)
        let values = row < counts.count ? counts[row] : []
        let total = Double(max(1, values.reduce(0, +)))
        for (column, count) in values.enumerated() {
            let box = CGRect(
                x: origin.x + Double(column) * Self.cell, y: origin.y + Double(row) * Self.cell, width: Self.cell - 2,
                height: Self.cell - 2)
            let share = Double(count) / total
            canvas.fill(box, color: Color(hex: 0xF1F3F5))
            if count > 0 {
                let color = row == column ? Self.correct : .fault
                // The minimum of 0.15 keeps even a single mistake visible.
                canvas.fill(box, color: color.faded(to: 0.15 + 0.85 * share))
            }
            canvas.text(
                String(count), at: CGPoint(x: box.midX, y: box.midY + 6), size: 17,
                color: share > 0.5 ? .white : Self.ink, alignment: .center)
        }
    }
}

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
