import Dispatch

/// A row-major matrix; rows are padded with zeros to a multiple of four for SIMD.
struct Matrix: Sendable {
    let rows: Int
    let columns: Int
    let stride: Int
    var values: [Float]

    init(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
        stride = (columns + 3) / 4 * 4
        values = [Float](repeating: 0, count: rows * stride)
    }

    subscript(row: Int, column: Int) -> Float {
        get { values[row * stride + column] }
        set { values[row * stride + column] = newValue }
    }

    func row(_ index: Int) -> ArraySlice<Float> { values[index * stride..<index * stride + columns] }
}

extension Matrix {
    /// The rows of a tile: 48 x 48 sums, for which 48 row parts of 256 values fit into the L1 cache.
    private static let block = 48

    /// The products of all rows with all rows, as the lower triangle of a square. Runs on all cores, reproducibly.
    func rowProducts() -> Matrix {
        var square = Matrix(rows: rows, columns: rows)
        let blocks = (rows + Self.block - 1) / Self.block
        let (rows, stride, squareStride) = (rows, stride, square.stride)
        // SAFETY: each task writes its own tiles of the square, and `values` is only read.
        values.withUnsafeBufferPointer { values in
            square.values.withUnsafeMutableBufferPointer { square in
                guard let from = values.baseAddress, let to = square.baseAddress else { return }
                nonisolated(unsafe) let (source, target) = (from, to)  // SAFETY: see above.
                DispatchQueue.concurrentPerform(iterations: blocks) { reversed in
                    // Start with the longest, so that all cores finish at about the same time.
                    let i = blocks - 1 - reversed
                    let high = i * Self.block..<min((i + 1) * Self.block, rows)
                    for j in 0...i {
                        let low = j * Self.block..<min((j + 1) * Self.block, rows)
                        var start = 0
                        while start < stride {
                            let part = min(Self.span, stride - start)
                            RowProducts.each(
                                source + start, rows: high, strideA: stride, source + start, rows: low,
                                strideB: stride, count: part
                            ) { target[$0 * squareStride + $1] += $2 }
                            start += part
                        }
                    }
                }
            }
        }
        return square
    }

    private static let span = 256
}
