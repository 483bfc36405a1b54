import Dispatch

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
