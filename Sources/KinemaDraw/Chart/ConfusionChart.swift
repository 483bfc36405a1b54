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
