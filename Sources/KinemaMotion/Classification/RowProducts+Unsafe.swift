import Dispatch

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
