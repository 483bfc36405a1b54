import Foundation

// SAFETY: both parts have `rows * columns` elements, which the precondition checks; every index below is within these
// rows and columns, and the scratch buffer for transposition has the same size.

/// The two-dimensional discrete Fourier transform of pictures whose sides are powers of two: radix 2, decimation in
/// time (Cooley and Tukey 1965). Butterflies combine whole rows; columns are transposed first.
struct FourierTransform: Sendable {
    /// A picture of complex values, row by row.
    struct Field: Sendable {
        var real: [Float]
        var imaginary: [Float]

        init(count: Int) {
            real = [Float](repeating: 0, count: count)
            imaginary = [Float](repeating: 0, count: count)
        }
    }

    let rows: Int
    let columns: Int
    private let alongColumns: Plan
    private let alongRows: Plan

    init(rows: Int, columns: Int) {
        precondition(rows.nonzeroBitCount == 1 && columns.nonzeroBitCount == 1, "sides are powers of two")
        (self.rows, self.columns) = (rows, columns)
        alongColumns = Plan(rows)
        alongRows = Plan(columns)
    }

    /// Transforms in place; the result is transposed: `columns` rows of `rows` values.
    func forward(_ field: inout Field) {
        transform(&field, first: alongColumns, rows: rows, second: alongRows, inverse: false)
    }

    /// Transforms a transposed spectrum back into a picture, scaled by its number of pixels.
    func inverse(_ field: inout Field) {
        transform(&field, first: alongRows, rows: columns, second: alongColumns, inverse: true)
    }

    private func transform(_ field: inout Field, first: Plan, rows: Int, second: Plan, inverse: Bool) {
        let count = self.rows * columns
        precondition(field.real.count == count && field.imaginary.count == count, "one value per pixel")
        let other = count / rows
        field.real.withUnsafeMutableBufferPointer { real in
            field.imaginary.withUnsafeMutableBufferPointer { imaginary in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { scratch in
                    guard let real = real.baseAddress, let imaginary = imaginary.baseAddress,
                        let scratch = scratch.baseAddress
                    else { return }
                    // The inverse is the forward transform with real and imaginary parts exchanged.
                    let (one, two) = inverse ? (imaginary, real) : (real, imaginary)
                    first.run(one, two, width: other)
                    Self.transpose(real, rows: rows, columns: other, by: scratch)
                    Self.transpose(imaginary, rows: rows, columns: other, by: scratch)
                    second.run(one, two, width: rows)
                }
            }
        }
    }

    private static func transpose(
        _ values: UnsafeMutablePointer<Float>, rows: Int, columns: Int, by scratch: UnsafeMutablePointer<Float>
    ) {
        scratch.update(from: values, count: rows * columns)
        // Blocks of eight rows stay in the L1 cache.
        for block in stride(from: 0, to: rows, by: 8) {
            let end = min(block + 8, rows)
            for column in 0..<columns {
                for row in block..<end { values[column &* rows &+ row] = scratch[row &* columns &+ column] }
            }
        }
    }

    /// The twiddle factors and the bit-reversal permutation for one length.
    private struct Plan: Sendable {
        let count: Int
        let cosines: [Float]
        let sines: [Float]
        /// The pairs of rows to exchange first.
        let exchanges: [(Int, Int)]

        init(_ count: Int) {
            self.count = count
            let angles = (0..<max(1, count / 2)).map { -2 * Double.pi * Double($0) / Double(count) }
            cosines = angles.map { Float(cos($0)) }
            sines = angles.map { Float(sin($0)) }
            let bits = count.trailingZeroBitCount
            exchanges = (0..<count).compactMap { index in
                let mirror = (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 }
                return index < mirror ? (index, mirror) : nil
            }
        }

        /// Transforms `count` rows of `width` values along the columns.
        func run(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, width: Int) {
            for (one, other) in exchanges {
                Self.exchange(real + one * width, real + other * width, width)
                Self.exchange(imaginary + one * width, imaginary + other * width, width)
            }
            var half = 1
            while half < count {
                let step = count / (2 * half)
                for start in stride(from: 0, to: count, by: 2 * half) {
                    for index in 0..<half {
                        let (upper, lower) = ((start + index) * width, (start + index + half) * width)
                        Self.butterfly(
                            real + upper, imaginary + upper, real + lower, imaginary + lower, width,
                            cosines[index * step], sines[index * step])
                    }
                }
                half *= 2
            }
        }

        @inline(__always)
        private static func exchange(
            _ one: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>, _ count: Int
        ) {
            for index in 0..<count { swap(&one[index], &other[index]) }
        }

        @inline(__always)
        private static func butterfly(
            _ upperReal: UnsafeMutablePointer<Float>, _ upperImaginary: UnsafeMutablePointer<Float>,
            _ lowerReal: UnsafeMutablePointer<Float>, _ lowerImaginary: UnsafeMutablePointer<Float>, _ count: Int,
            _ cosine: Float, _ sine: Float
        ) {
            for index in 0..<count {
                let real = lowerReal[index] * cosine - lowerImaginary[index] * sine
                let imaginary = lowerReal[index] * sine + lowerImaginary[index] * cosine
                (lowerReal[index], lowerImaginary[index]) = (upperReal[index] - real, upperImaginary[index] - imaginary)
                (upperReal[index], upperImaginary[index]) = (upperReal[index] + real, upperImaginary[index] + imaginary)
            }
        }
    }
}
