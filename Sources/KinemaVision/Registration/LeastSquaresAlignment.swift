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
