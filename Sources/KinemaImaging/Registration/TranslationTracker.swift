package import KinemaSampling
import Foundation

package struct TranslationTracker: Sendable {
    package struct Movement: Sendable, Equatable {
        /// The shift in pixels of the pictures, y down.
        package var shift: SIMD2<Double>
        /// The confidence, 0...1; near 0 if the pictures show different scenes or nothing to align.
        package var confidence: Double
    }

    private struct Prepared: Sendable {
        let pyramid: PicturePyramid
        let spectrum: FourierTransform.Field
    }

    private var correlation: PhaseCorrelation?
    private var previous: Prepared?
    private var lastShift = SIMD2(0.0, 0.0)

    package init() {}

    package mutating func restart() { self = TranslationTracker() }

    /// The movement since the previous picture; nil for the first picture and after a change of size.
    package mutating func update(_ picture: GrayPicture) -> Movement? {
        // 160 pixels show enough detail, and their transform takes half a millisecond.
        let pyramid = PicturePyramid(picture, smallest: 160)
        guard let coarse = pyramid.levels.last else { return nil }
        let correlation =
            self.correlation.flatMap { $0.width == coarse.width && $0.height == coarse.height ? $0 : nil }
            ?? PhaseCorrelation(width: coarse.width, height: coarse.height)
        self.correlation = correlation
        let current = Prepared(pyramid: pyramid, spectrum: correlation.spectrum(of: coarse))
        defer { previous = current }
        guard let previous, let full = previous.pyramid.levels.first, full.width == picture.width,
            full.height == picture.height
        else {
            lastShift = SIMD2(0, 0)
            return nil
        }
        let movement = movement(from: previous, to: current, correlation)
        lastShift = movement.shift
        return movement
    }

    private func movement(from one: Prepared, to next: Prepared, _ correlation: PhaseCorrelation) -> Movement {
        let depth = one.pyramid.levels.count - 1
        let scale = Double(1 << depth)
        let (coarse, coarseNext) = (one.pyramid.levels[depth], next.pyramid.levels[depth])
        let peaks = correlation.shifts(from: one.spectrum, to: next.spectrum, count: 6).map { SIMD2<Double>($0) }
        // Most pictures do not move, or move as before.
        let candidates = [SIMD2(0, 0), (lastShift / scale).rounded(.toNearestOrEven)] + peaks
        let rated = candidates.filter {
            // At least a quarter of the picture overlaps.
            4 * Overlap(width: coarse.width, height: coarse.height, shift: $0).count >= coarse.width * coarse.height
        }.map { ($0, GradientCorrelation.value(coarse, coarseNext, shift: $0)) }
        guard let best = rated.max(by: { $0.1 < $1.1 }) else { return Movement(shift: SIMD2(0, 0), confidence: 0) }
        var alignment = LeastSquaresAlignment(shift: best.0)
        alignment.refine(coarse, coarseNext, passes: 6, tolerance: 0.02)
        for level in (0..<depth).reversed() {
            alignment.shift *= 2
            // In a large picture every other row is enough.
            let step = level == 0 && one.pyramid.levels[0].pixels.count > 100_000 ? 2 : 1
            alignment.refine(
                one.pyramid.levels[level], next.pyramid.levels[level], passes: 3,
                tolerance: level == 0 ? 0.004 : 0.02, step: step)
        }
        return Movement(shift: alignment.shift, confidence: confidence(alignment, one.pyramid, next.pyramid))
    }

    /// The gradient correlation, reduced if the shift's standard error is not well below 0.2 pixel.
    private func confidence(
        _ alignment: LeastSquaresAlignment, _ one: PicturePyramid, _ next: PicturePyramid
    ) -> Double {
        // Half size has little noise.
        let level = min(1, one.levels.count - 1)
        let similarity = GradientCorrelation.value(
            one.levels[level], next.levels[level], shift: alignment.shift / Double(1 << level))
        let relativeError = alignment.error / 0.2
        return max(0, min(1, similarity)) / (1 + relativeError * relativeError)
    }
}

/// Finds the shift between two small pictures by phase correlation (Kuglin and Hines 1975).
struct PhaseCorrelation: Sendable {
    let width: Int
    let height: Int
    private let transform: FourierTransform
    private let window: [Float]
    /// The weight of each frequency, in the transposed order of the spectra.
    private let weights: [Float]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        transform = FourierTransform(rows: Self.side(height), columns: Self.side(width))
        let (across, down) = (Self.hann(width), Self.hann(height))
        window = down.flatMap { y in across.map { $0 * y } }
        let (fine, coarse) = (Self.weights(transform.columns), Self.weights(transform.rows))
        weights = fine.flatMap { x in coarse.map { $0 * x } }
    }

    /// The spectrum of a picture of the given size under a Hann window.
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

    /// The most likely shifts from one picture to the next in whole pixels, y down, best first.
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

    private func peaks(of values: [Float], count: Int) -> [SIMD2<Int>] {
        let (columns, rows) = (transform.columns, transform.rows)
        // Peaks below a third of the highest were never right.
        let minimum = (values.max() ?? 0) / 3
        guard minimum > 0 else { return [] }
        var found: [(value: Float, shift: SIMD2<Int>)] = []
        for index in values.indices where values[index] > minimum {
            let (x, y) = (index % columns, index / columns)
            let isPeak = (-1...1).allSatisfy { dy in
                (-1...1).allSatisfy { dx in
                    values[(y + dy) & (rows - 1) * columns + (x + dx) & (columns - 1)] <= values[index]
                }
            }
            guard isPeak else { continue }
            found.append((values[index], SIMD2(x < columns / 2 ? x : x - columns, y < rows / 2 ? y : y - rows)))
        }
        return found.sorted { $0.value > $1.value }.prefix(count).map(\.shift)
    }

    /// The smallest power of two at least a quarter larger than the size, so that large shifts do not wrap around.
    private static func side(_ size: Int) -> Int {
        var side = 4
        while side * 4 < size * 5 { side *= 2 }
        return side
    }

    private static func hann(_ count: Int) -> [Float] {
        (0..<count).map { index in
            let phase = 2 * Double.pi * (Double(index) + 0.5) / Double(count)
            return Float(0.5 - 0.5 * cos(phase))
        }
    }

    /// A Gaussian of 0.15 cycles per pixel; the highest frequencies are mostly noise after smoothing.
    private static func weights(_ count: Int) -> [Float] {
        (0..<count).map { index in
            let frequency = Double(min(index, count - index)) / Double(count) / 0.15
            return Float(exp(-frequency * frequency / 2))
        }
    }
}

/// Refines the shift between two pictures by iterative least squares (Lucas and Kanade 1981), with a constant
/// difference in brightness and less weight for outliers.
struct LeastSquaresAlignment {
    /// The shift in pixels of the pictures, y down.
    var shift: SIMD2<Double>
    /// The standard error of the shift in pixels, in the least certain direction; infinite if it is undetermined.
    private(set) var error = Double.infinity

    private var bias = 0.0
    /// The mean absolute residual, kept from level to level; infinite before the first pass.
    private var spread = Double.infinity

    init(shift: SIMD2<Double>) { self.shift = shift }

    /// Refines the shift in at most `passes` passes, until it changes by less than `tolerance` pixels.
    mutating func refine(
        _ one: PicturePyramid.Level, _ other: PicturePyramid.Level, passes: Int, tolerance: Double, step: Int = 1
    ) {
        for _ in 0..<passes {
            let overlap = Overlap(width: one.width, height: one.height, shift: shift)
            // Three mean residuals and half a level: noise counts, independently moving objects count little.
            let residualTolerance = spread.isFinite ? Float(3 * spread + 0.5) : .infinity
            let sums = AlignmentSums(one, other, overlap, bias: Float(bias), tolerance: residualTolerance, step: step)
            guard sums.count > 0, let change = solve(sums) else { return }
            shift += change
            if (change * change).sum() < tolerance * tolerance { return }
        }
    }

    /// The change of the shift that minimises the sum of squares, at most two pixels.
    private mutating func solve(_ sums: AlignmentSums) -> SIMD2<Double>? {
        let weight = Double(sums.weight)
        let gradient = SIMD2<Double>(sums.gradient)
        let square = SIMD3<Double>(sums.square)
        // Remove the constant difference in brightness.
        let xx = square.x - gradient.x * gradient.x / weight
        let xy = square.y - gradient.x * gradient.y / weight
        let yy = square.z - gradient.y * gradient.y / weight
        let moment = SIMD2<Double>(sums.product) - gradient * (Double(sums.difference) / weight)
        let trace = xx + yy
        // The weights limit the spread to the static scene.
        spread = Double(sums.absolute) / weight
        // A gradient below 0.01 levels per pixel means a blank picture.
        guard weight > 0, trace > 1e-4 * weight else {
            error = .infinity
            return nil
        }
        let smallestEigenvalue = (trace - ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()) / 2
        // Smoothing correlates about six neighbouring pixels; rounding leaves an error of a quarter of a level.
        let noise = max(1.25 * spread, 0.25)
        error = noise * (6 / max(smallestEigenvalue, 1e-9 * trace)).squareRoot()
        // Regularisation by a thousandth of the trace prevents drift along stripes.
        let (a, b) = (xx + 1e-3 * trace, yy + 1e-3 * trace)
        let determinant = a * b - xy * xy
        let change = SIMD2(xy * moment.y - b * moment.x, xy * moment.x - a * moment.y) / determinant
        bias = (Double(sums.difference) + (gradient * change).sum()) / weight
        return change.clamped(lowerBound: SIMD2(repeating: -2), upperBound: SIMD2(repeating: 2))
    }
}
