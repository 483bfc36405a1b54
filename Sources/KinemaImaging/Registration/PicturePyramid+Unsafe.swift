import KinemaSampling
import Foundation

/// A Gaussian pyramid of a picture's brightness.
struct PicturePyramid: Sendable {
    /// One level, top row first; pixel centres have integer coordinates.
    struct Level: Sendable {
        let width: Int
        let height: Int
        let pixels: [Float]
    }

    /// The levels, largest first; each keeps every second pixel of the one before.
    let levels: [Level]

    /// Halves the picture until its longer side is at most `smallest` pixels or its shorter side less than 32.
    init(_ picture: GrayPicture, smallest: Int) {
        var levels = [
            Self.smoothed(
                Level(width: picture.width, height: picture.height, pixels: picture.pixels.map { Float($0) }), step: 1)
        ]
        while let last = levels.last, max(last.width, last.height) > smallest, min(last.width, last.height) >= 32 {
            levels.append(Self.smoothed(last, step: 2))
        }
        self.levels = levels
    }
}

// SAFETY: rows and columns outside the picture are clamped to its edge before they are read. The row of sums is as wide
// as the picture plus two elements on each side. Every pixel of the output is written once.

extension PicturePyramid {
    /// Every `step`th pixel of the picture, smoothed by 1 4 6 4 1 in both directions (Burt and Adelson 1983).
    static func smoothed(_ level: Level, step: Int) -> Level {
        let (columns, rows) = ((level.width + step - 1) / step, (level.height + step - 1) / step)
        let pixels = [Float](unsafeUninitializedCapacity: columns * rows) { output, count in
            level.pixels.withUnsafeBufferPointer { input in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: level.width + 4) { scratch in
                    guard let output = output.baseAddress, let input = input.baseAddress,
                        let sums = scratch.baseAddress
                    else { return }
                    for row in 0..<rows {
                        sum(level, input, around: row * step, into: sums + 2)
                        // Repeats the edge on both sides.
                        (sums[0], sums[1]) = (sums[2], sums[2])
                        (sums[level.width + 2], sums[level.width + 3]) = (sums[level.width + 1], sums[level.width + 1])
                        let line = output + row * columns
                        // Constants, so that each loop is vectorised.
                        if step == 1 {
                            smooth(sums, columns, step: 1, into: line)
                        } else {
                            smooth(sums, columns, step: 2, into: line)
                        }
                    }
                }
            }
            count = columns * rows
        }
        return Level(width: columns, height: rows, pixels: pixels)
    }

    private static func sum(
        _ level: Level, _ input: UnsafePointer<Float>, around row: Int, into sums: UnsafeMutablePointer<Float>
    ) {
        func line(_ offset: Int) -> UnsafePointer<Float> {
            input + min(max(row + offset, 0), level.height - 1) * level.width
        }
        let (a, b, c, d, e) = (line(-2), line(-1), line(0), line(1), line(2))
        for x in 0..<level.width {
            let near: Float = b[x] + d[x]
            sums[x] = (a[x] + e[x] + 4 * near + 6 * c[x]) * (1.0 / 256)
        }
    }

    @inline(__always)
    private static func smooth(
        _ sums: UnsafePointer<Float>, _ count: Int, step: Int, into line: UnsafeMutablePointer<Float>
    ) {
        for x in 0..<count {
            let window = sums + step &* x
            let near: Float = window[1] + window[3]
            line[x] = window[0] + window[4] + 4 * near + 6 * window[2]
        }
    }
}

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
            let whole = Double(count)
            let angles = (0..<max(1, count / 2)).map { place -> Double in -2 * .pi * Double(place) / whole }
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
