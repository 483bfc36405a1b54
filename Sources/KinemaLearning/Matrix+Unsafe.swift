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

/// Dot products of rows, three rows by three at a time: the inner loop of all linear algebra here.
enum RowProducts {
    /// The nine products of rows `a` to `a + 2` and rows `b` to `b + 2`, over the first `count` values, a multiple of
    /// four. The sums stay in registers, so each value is loaded once for three products.
    // SAFETY: callers pass rows of matrices padded to a multiple of four, so every load is in bounds. The storage is
    // not guaranteed to be aligned to 16 bytes, hence the unaligned loads.
    @inline(__always)
    static func nine(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, strideA: Int, strideB: Int, count: Int,
        _ take: (_ row: Int, _ column: Int, _ product: Float) -> Void
    ) {
        let (a0, a1, a2) = (UnsafeRawPointer(a), UnsafeRawPointer(a + strideA), UnsafeRawPointer(a + 2 * strideA))
        let (b0, b1, b2) = (UnsafeRawPointer(b), UnsafeRawPointer(b + strideB), UnsafeRawPointer(b + 2 * strideB))
        var s00 = SIMD4<Float>.zero, s01 = s00, s02 = s00
        var s10 = s00, s11 = s00, s12 = s00
        var s20 = s00, s21 = s00, s22 = s00
        var offset = 0
        let end = count * 4
        while offset < end {
            let x0 = a0.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            let x1 = a1.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            let x2 = a2.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            let y0 = b0.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            s00 += x0 * y0
            s10 += x1 * y0
            s20 += x2 * y0
            let y1 = b1.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            s01 += x0 * y1
            s11 += x1 * y1
            s21 += x2 * y1
            let y2 = b2.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            s02 += x0 * y2
            s12 += x1 * y2
            s22 += x2 * y2
            offset += 16
        }
        take(0, 0, s00.sum())
        take(0, 1, s01.sum())
        take(0, 2, s02.sum())
        take(1, 0, s10.sum())
        take(1, 1, s11.sum())
        take(1, 2, s12.sum())
        take(2, 0, s20.sum())
        take(2, 1, s21.sum())
        take(2, 2, s22.sum())
    }

    /// One product over the first `count` values; `count` must be a multiple of four.
    // SAFETY: as above.
    @inline(__always)
    static func one(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
        let (left, right) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
        var sum = SIMD4<Float>.zero
        var offset = 0
        while offset < count * 4 {
            sum +=
                left.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
                * right.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            offset += 16
        }
        return sum.sum()
    }

    /// Calls `take` with the product of every pair of rows from `rowsA` and `rowsB`.
    // SAFETY: callers pass ranges of rows inside the storage of the pointers.
    @inline(__always)
    static func each(
        _ a: UnsafePointer<Float>, rows rowsA: Range<Int>, strideA: Int, _ b: UnsafePointer<Float>,
        rows rowsB: Range<Int>, strideB: Int, count: Int, _ take: (_ row: Int, _ column: Int, _ product: Float) -> Void
    ) {
        var row = rowsA.lowerBound
        while row < rowsA.upperBound {
            var column = rowsB.lowerBound
            while column < rowsB.upperBound {
                if row + 3 <= rowsA.upperBound, column + 3 <= rowsB.upperBound {
                    nine(a + row * strideA, b + column * strideB, strideA: strideA, strideB: strideB, count: count) {
                        take(row + $0, column + $1, $2)
                    }
                } else {
                    for i in row..<min(row + 3, rowsA.upperBound) {
                        for j in column..<min(column + 3, rowsB.upperBound) {
                            take(i, j, one(a + i * strideA, b + j * strideB, count: count))
                        }
                    }
                }
                column += 3
            }
            row += 3
        }
    }
}

/// The Cholesky factor of a positive definite matrix, bordered by further rows.
///
/// For a square matrix A = L Lᵀ and further rows B, it computes L and B L⁻ᵀ, which give the solutions for the rows of B
/// and their leverages. Blocked and left-looking; runs on all cores.
struct BorderedCholesky: Sendable {
    /// The lower triangle L, then B L⁻ᵀ; values above the diagonal are meaningless.
    private(set) var factor: Matrix
    let order: Int

    private static let block = 48

    /// Factors a matrix whose rows below the square are B; nil if not positive definite in single precision.
    init?(_ matrix: Matrix) {
        order = matrix.columns
        factor = matrix
        guard matrix.rows >= order else { return nil }
        var start = 0
        while start < order {
            let end = min(start + Self.block, order)
            update(columns: start..<end)
            guard factorDiagonal(start..<end) else { return nil }
            solve(columns: start..<end)
            start = end
        }
    }

    /// Subtracts the contribution of the finished columns from the given ones.
    private mutating func update(columns: Range<Int>) {
        // Blocks have 48 columns, so the number of columns before them is a multiple of four.
        let (first, rows, stride) = (columns.lowerBound, factor.rows, factor.stride)
        guard first > 0 else { return }
        let tasks = (rows - first + Self.block - 1) / Self.block
        factor.values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            // SAFETY: tasks read finished columns and write only their own rows of the current columns.
            nonisolated(unsafe) let target = base
            DispatchQueue.concurrentPerform(iterations: tasks) { task in
                let low = first + task * Self.block
                RowProducts.each(
                    target, rows: low..<min(low + Self.block, rows), strideA: stride, target, rows: columns,
                    strideB: stride, count: first
                ) { target[$0 * stride + $1] -= $2 }
            }
        }
    }

    private mutating func factorDiagonal(_ range: Range<Int>) -> Bool {
        for column in range {
            var pivot = factor[column, column]
            for before in range.lowerBound..<column { pivot -= factor[column, before] * factor[column, before] }
            guard pivot > 0, pivot.isFinite else { return false }
            let root = pivot.squareRoot()
            factor[column, column] = root
            for row in column + 1..<range.upperBound {
                var value = factor[row, column]
                for before in range.lowerBound..<column { value -= factor[row, before] * factor[column, before] }
                factor[row, column] = value / root
            }
        }
        return true
    }

    /// Solves the rows below for the block on the diagonal.
    private mutating func solve(columns: Range<Int>) {
        let (first, rows, stride) = (columns.upperBound, factor.rows, factor.stride)
        let tasks = (rows - first + Self.block - 1) / Self.block
        guard tasks > 0 else { return }
        factor.values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            // SAFETY: tasks read the diagonal block and write only their own rows below it.
            nonisolated(unsafe) let target = base
            DispatchQueue.concurrentPerform(iterations: tasks) { task in
                let low = first + task * Self.block
                for row in low..<min(low + Self.block, rows) {
                    let line = target + row * stride
                    for column in columns {
                        let pivot = target + column * stride
                        var value = line[column]
                        for before in columns.lowerBound..<column { value -= line[before] * pivot[before] }
                        line[column] = value / pivot[column]
                    }
                }
            }
        }
    }

    /// Solves L Lᵀ x = b, where the further row at this index holds L⁻¹ b.
    func solution(_ row: Int) -> [Float] {
        var x = Array(factor.row(order + row))
        for index in stride(from: order - 1, through: 0, by: -1) {
            x[index] /= factor[index, index]
            let value = x[index]
            for before in 0..<index { x[before] -= value * factor[index, before] }
        }
        return x
    }
}
