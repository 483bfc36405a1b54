import Dispatch

/// Scalar products of rows, three rows with three at a time: the inner loop of all the linear algebra here.
enum RowProducts {
    /// Nine products: rows `a` to `a + 2` with rows `b` to `b + 2`, over the first `count` numbers.
    ///
    /// `count` must be a multiple of four; the nine sums stay in registers, so that each number is read once for three
    /// products.
    // SAFETY: callers pass matrices padded to a multiple of four and rows inside them, so every load is in bounds; the
    // storage is aligned to 16 bytes by no promise, hence the unaligned loads.
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

    /// One product over the first `count` numbers, a multiple of four.
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

    /// Hands out every pair (row of `rowsA`, row of `rowsB`) with its product.
    // SAFETY: both ranges are of rows inside the storage the pointers point to.
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

extension Matrix {
    /// How many rows a task takes at once: a tile of 48 x 48 sums, whose rows of 256 numbers fit a first level cache.
    private static let block = 48

    /// The products of all rows with all rows, the lower triangle of a square; work is shared between the cores.
    ///
    /// Every number is summed in an order that does not depend on the number of cores.
    func rowProducts() -> Matrix {
        var square = Matrix(rows: rows, columns: rows)
        let blocks = (rows + Self.block - 1) / Self.block
        let (rows, stride, squareStride) = (rows, stride, square.stride)
        // SAFETY: each task writes other tiles of the square than all the others, and `values` is only read.
        values.withUnsafeBufferPointer { values in
            square.values.withUnsafeMutableBufferPointer { square in
                guard let from = values.baseAddress, let to = square.baseAddress else { return }
                nonisolated(unsafe) let (source, target) = (from, to)  // SAFETY: see above.
                DispatchQueue.concurrentPerform(iterations: blocks) { reversed in
                    // The longest first, so that no core is left alone at the end.
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
