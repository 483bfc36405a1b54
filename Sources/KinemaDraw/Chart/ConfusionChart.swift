import Foundation
package import KinemaCore

/// A confusion matrix as a picture: a row a true class, a column for what was said, darker where more often.
package struct ConfusionChart: Sendable {
    /// The classes' names.
    package var labels: [String]
    /// How often the class of a column was said where that of the row was true.
    package var counts: [[Int]]
    /// The line above.
    package var title: String

    /// Makes a chart; `counts` has a row and a column for each label.
    package init(labels: [String], counts: [[Int]], title: String) {
        self.labels = labels
        self.counts = counts
        self.title = title
    }

    private static let cell = 72.0
    private static let text = 15.0
    private static let ink = Color(hex: 0x1B1F24)
    /// Right ones; wrong ones in the colour of faults.
    private static let right = Color(hex: 0x1F77B4)

    /// The drawing.
    package func bitmap() throws -> Bitmap {
        let longest = Double(labels.map(\.count).max() ?? 0)
        let margin = max(90, longest * Self.text * 0.62 + 24)
        let side = Self.cell * Double(max(1, labels.count))
        let (width, height) = (Int(margin + side + 24), Int(margin + side + 64))
        var bitmap = Bitmap(width: width, height: height, red: 255, green: 255, blue: 255)
        try bitmap.draw { canvas in
            canvas.text(title, at: CGPoint(x: 16, y: 28), size: 17, color: Self.ink)
            canvas.text(
                "truth in rows, said in columns", at: CGPoint(x: 16, y: 50), size: 13, color: Self.ink.faded(to: 0.7),
                bold: false)
            for (row, label) in labels.enumerated() {
                draw(label, row: row, on: canvas, origin: CGPoint(x: margin, y: margin + 40))
            }
        }
        return bitmap
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
                let color = row == column ? Self.right : .fault
                // Even a single mistake shall be seen.
                canvas.fill(box, color: color.faded(to: 0.15 + 0.85 * share))
            }
            canvas.text(
                String(count), at: CGPoint(x: box.midX, y: box.midY + 6), size: 17,
                color: share > 0.5 ? .white : Self.ink, alignment: .center)
        }
    }
}
