/// A table of numbers, one row after the other; rows are padded with zeros to a multiple of four for SIMD.
struct Matrix: Sendable {
    let rows: Int
    let columns: Int
    /// The distance from one row to the next.
    let stride: Int
    var values: [Float]

    /// A table of zeros.
    init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        stride = (columns + 3) / 4 * 4
        values = [Float](repeating: 0, count: rows * stride)
    }

    subscript(row: Int, column: Int) -> Float {
        get { values[row * stride + column] }
        set { values[row * stride + column] = newValue }
    }

    /// A row without its padding.
    func row(_ index: Int) -> ArraySlice<Float> {
        values[index * stride..<index * stride + columns]
    }
}
