import Foundation

/// Measures from picture to picture how far what they show has moved.
struct TranslationTracker: Sendable {
    /// How far the content moved.
    struct Movement: Sendable, Equatable {
        /// Pixels of the pictures, y downwards.
        var shift: SIMD2<Double>
        /// 0...1; near 0 where the two do not show the same, or nothing that a movement could be told from.
        var confidence: Double
    }

    /// What is kept of the picture before.
    private struct Seen: Sendable {
        let pyramid: PicturePyramid
        let spectrum: FourierTransform.Field
    }

    private var correlation: PhaseCorrelation?
    private var before: Seen?
    private var lastShift = SIMD2(0.0, 0.0)

    /// Forgets everything.
    mutating func restart() {
        self = TranslationTracker()
    }

    /// Takes the next picture; nil for the first and after a change of size.
    mutating func update(_ picture: GrayPicture) -> Movement? {
        // The longer side of the smallest level: enough to see by, and a transform of half a millisecond.
        let pyramid = PicturePyramid(picture, smallest: 160)
        guard let coarse = pyramid.levels.last else { return nil }
        let correlation =
            self.correlation.flatMap { $0.width == coarse.width && $0.height == coarse.height ? $0 : nil }
            ?? PhaseCorrelation(width: coarse.width, height: coarse.height)
        self.correlation = correlation
        let seen = Seen(pyramid: pyramid, spectrum: correlation.spectrum(of: coarse))
        defer { before = seen }
        guard let before, let full = before.pyramid.levels.first, full.width == picture.width,
            full.height == picture.height
        else {
            lastShift = SIMD2(0, 0)
            return nil
        }
        let movement = movement(from: before, to: seen, correlation)
        lastShift = movement.shift
        return movement
    }

    private func movement(from one: Seen, to next: Seen, _ correlation: PhaseCorrelation) -> Movement {
        let depth = one.pyramid.levels.count - 1
        let scale = Double(1 << depth)
        let (coarse, coarseNext) = (one.pyramid.levels[depth], next.pyramid.levels[depth])
        let peaks = correlation.shifts(from: one.spectrum, to: next.spectrum, count: 6).map { SIMD2<Double>($0) }
        // Nothing moving, and moving on as before, are what most frames do.
        let candidates = [SIMD2(0, 0), (lastShift / scale).rounded(.toNearestOrEven)] + peaks
        let rated = candidates.filter { isPossible($0, in: coarse) }
            .map { ($0, EdgeAgreement.correlation(coarse, coarseNext, shift: $0)) }
        guard let best = rated.max(by: { $0.1 < $1.1 }) else { return Movement(shift: SIMD2(0, 0), confidence: 0) }
        var alignment = LeastSquaresAlignment(shift: best.0)
        alignment.improve(coarse, coarseNext, passes: 6, enough: 0.02)
        for level in (0..<depth).reversed() {
            alignment.shift *= 2
            // Every other row of a large picture tells enough.
            let step = level == 0 && one.pyramid.levels[0].pixels.count > 100_000 ? 2 : 1
            alignment.improve(
                one.pyramid.levels[level], next.pyramid.levels[level], passes: 3, enough: level == 0 ? 0.004 : 0.02,
                step: step)
        }
        return Movement(shift: alignment.shift, confidence: confidence(alignment, one.pyramid, next.pyramid))
    }

    /// Whether at least a quarter of the picture is still seen.
    private func isPossible(_ shift: SIMD2<Double>, in level: PicturePyramid.Level) -> Bool {
        4 * Overlap(width: level.width, height: level.height, shift: shift).count >= level.width * level.height
    }

    /// How alike the edges are, less where the shift cannot be told to a fifth of a pixel.
    private func confidence(
        _ alignment: LeastSquaresAlignment, _ one: PicturePyramid, _ next: PicturePyramid
    ) -> Double {
        // At half size noise has mostly gone.
        let level = min(1, one.levels.count - 1)
        let alike = EdgeAgreement.correlation(
            one.levels[level], next.levels[level], shift: alignment.shift / Double(1 << level))
        let doubt = alignment.error / 0.2
        return max(0, min(1, alike)) / (1 + doubt * doubt)
    }
}

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

/// Improves a shift between two pictures until the squares of their differences are least (Lucas and Kanade 1981).
///
/// A constant difference in brightness is estimated along with the shift, and pixels that fit badly count less.
struct LeastSquaresAlignment {
    /// The shift in pixels of the pictures, y downwards.
    var shift: SIMD2<Double>
    /// The standard error of the shift in the direction that is known worst, pixels; infinite where nothing tells it.
    private(set) var error = Double.infinity

    private var bias = 0.0
    /// The usual difference; it is kept from level to level, infinite before the first pass.
    private var spread = Double.infinity

    init(shift: SIMD2<Double>) {
        self.shift = shift
    }

    /// Improves the shift at most so many times, until it moves by less than `enough` pixels.
    mutating func improve(
        _ one: PicturePyramid.Level, _ other: PicturePyramid.Level, passes: Int, enough: Double, step: Int = 1
    ) {
        for _ in 0..<passes {
            let overlap = Overlap(width: one.width, height: one.height, shift: shift)
            // Three times the usual difference, and half a level: noise counts, what moves by itself hardly does.
            let tolerance = spread.isFinite ? Float(3 * spread + 0.5) : .infinity
            let sums = AlignmentSums(one, other, overlap, bias: Float(bias), tolerance: tolerance, step: step)
            guard sums.count > 0, let move = solve(sums) else { return }
            shift += move
            if (move * move).sum() < enough * enough { return }
        }
    }

    /// The change of the shift that brings the least sum of squares, at most two pixels.
    private mutating func solve(_ sums: AlignmentSums) -> SIMD2<Double>? {
        let weight = Double(sums.weight)
        let gradient = SIMD2<Double>(sums.gradient)
        let square = SIMD3<Double>(sums.square)
        // The brightness that all pixels differ by is taken out first.
        let xx = square.x - gradient.x * gradient.x / weight
        let xy = square.y - gradient.x * gradient.y / weight
        let yy = square.z - gradient.y * gradient.y / weight
        let pull = SIMD2<Double>(sums.product) - gradient * (Double(sums.difference) / weight)
        let trace = xx + yy
        // Weighted like the rest, so that it is the spread of what does not move by itself.
        spread = Double(sums.absolute) / weight
        // Less than a hundredth of a level a pixel is a blank picture.
        guard weight > 0, trace > 1e-4 * weight else {
            error = .infinity
            return nil
        }
        let least = (trace - ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()) / 2
        // Smoothing makes some six neighbours tell the same; a quarter of a level is what rounding leaves.
        let noise = max(1.25 * spread, 0.25)
        error = noise * (6 / max(least, 1e-9 * trace)).squareRoot()
        // A thousandth keeps stripes from running away along themselves.
        let (a, b) = (xx + 1e-3 * trace, yy + 1e-3 * trace)
        let determinant = a * b - xy * xy
        let move = SIMD2(xy * pull.y - b * pull.x, xy * pull.x - a * pull.y) / determinant
        bias = (Double(sums.difference) + (gradient * move).sum()) / weight
        return move.clamped(lowerBound: SIMD2(repeating: -2), upperBound: SIMD2(repeating: 2))
    }
}
