import Foundation

/// Finds where one small picture lies in another by the phases of their spectra (Kuglin and Hines 1975).
struct PhaseCorrelation: Sendable {
    let width: Int
    let height: Int
    private let transform: FourierTransform
    private let window: [Float]
    /// How much each frequency counts, in the transposed order of the spectra.
    private let weights: [Float]

    /// For pictures of this size.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        transform = FourierTransform(rows: Self.side(height), columns: Self.side(width))
        let (across, down) = (Self.hann(width), Self.hann(height))
        window = down.flatMap { y in across.map { $0 * y } }
        let (fine, coarse) = (Self.weights(transform.columns), Self.weights(transform.rows))
        weights = fine.flatMap { x in coarse.map { $0 * x } }
    }

    /// The spectrum of a picture of the expected size, its edges faded out.
    func spectrum(of level: PicturePyramid.Level) -> FourierTransform.Field {
        var field = FourierTransform.Field(count: transform.rows * transform.columns)
        let mean = level.pixels.reduce(0, +) / Float(level.pixels.count)
        for y in 0..<height {
            for x in 0..<width {
                field.real[y * transform.columns + x] = (level.pixels[y * width + x] - mean) * window[y * width + x]
            }
        }
        transform.forward(&field)
        return field
    }

    /// The likeliest shifts from one picture to the next in whole pixels, y downwards; the likeliest first.
    func shifts(from one: FourierTransform.Field, to next: FourierTransform.Field, count: Int) -> [SIMD2<Int>] {
        var field = FourierTransform.Field(count: weights.count)
        for index in weights.indices {
            let real = next.real[index] * one.real[index] + next.imaginary[index] * one.imaginary[index]
            let imaginary = next.imaginary[index] * one.real[index] - next.real[index] * one.imaginary[index]
            let size = (real * real + imaginary * imaginary).squareRoot()
            guard size > 0 else { continue }
            field.real[index] = real / size * weights[index]
            field.imaginary[index] = imaginary / size * weights[index]
        }
        transform.inverse(&field)
        return peaks(of: field.real, count: count)
    }

    /// The highest places that no neighbour exceeds.
    private func peaks(of values: [Float], count: Int) -> [SIMD2<Int>] {
        let (columns, rows) = (transform.columns, transform.rows)
        // Lower ones than a third of the highest were never right.
        let least = (values.max() ?? 0) / 3
        guard least > 0 else { return [] }
        var found: [(value: Float, place: SIMD2<Int>)] = []
        for index in values.indices where values[index] > least {
            let (x, y) = (index % columns, index / columns)
            let isPeak = (-1...1).allSatisfy { dy in
                (-1...1).allSatisfy { dx in
                    values[(y + dy) & (rows - 1) * columns + (x + dx) & (columns - 1)] <= values[index]
                }
            }
            guard isPeak else { continue }
            found.append((values[index], SIMD2(x < columns / 2 ? x : x - columns, y < rows / 2 ? y : y - rows)))
        }
        return found.sorted { $0.value > $1.value }.prefix(count).map(\.place)
    }

    /// The next power of two with a quarter of it to spare, so that shifts of that much do not run into themselves.
    private static func side(_ size: Int) -> Int {
        var side = 4
        while side * 4 < size * 5 { side *= 2 }
        return side
    }

    private static func hann(_ count: Int) -> [Float] {
        (0..<count).map { Float(0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(count))) }
    }

    /// Fades out the highest frequencies, which after smoothing are mostly noise: a bell of 0.15 cycles a pixel.
    private static func weights(_ count: Int) -> [Float] {
        (0..<count).map { index in
            let frequency = Double(min(index, count - index)) / Double(count) / 0.15
            return Float(exp(-frequency * frequency / 2))
        }
    }
}
