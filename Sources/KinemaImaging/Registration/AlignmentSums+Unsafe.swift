// SAFETY: `Overlap` clips rows and columns so that the shifted pixels and the neighbours of every pixel exist; lanes
// beyond the end of a row are not read.

/// The overlap of a picture with a shifted one of the same size.
struct Overlap {
    let columns: Range<Int>
    let rows: Range<Int>
    /// The shift rounded down to whole pixels.
    let whole: SIMD2<Int>
    /// The fractional part of the shift, 0..<1.
    let part: SIMD2<Float>

    /// Excludes a `rim` of at least one pixel on each side, where smoothing depends on the edge.
    init(width: Int, height: Int, shift: SIMD2<Double>, rim: Int = 3) {
        let low = shift.rounded(.down)
        let whole = SIMD2(Int(low.x), Int(low.y))
        self.whole = whole
        part = SIMD2<Float>(shift - low)
        func range(_ size: Int, _ offset: Int) -> Range<Int> {
            let (from, to) = (max(rim, rim - offset), min(size - rim, size - rim - 1 - offset))
            return from < to ? from..<to : 0..<0
        }
        columns = range(width, whole.x)
        rows = range(height, whole.y)
    }

    var count: Int { columns.count * rows.count }
}

/// The sums over two pictures at a shift that a least-squares step needs.
struct AlignmentSums {
    private(set) var weight: Float = 0
    private(set) var gradient = SIMD2<Float>(0, 0)
    private(set) var square = SIMD3<Float>(0, 0, 0)
    private(set) var difference: Float = 0
    private(set) var product = SIMD2<Float>(0, 0)
    private(set) var absolute: Float = 0
    private(set) var count = 0

    /// Sums over every `step`th row of the overlap: the weights, the gradients g of the first picture, their products,
    /// and their products with the differences d. A pixel's weight is Cauchy's, 1 / (1 + (d / tolerance)^2).
    init(
        _ one: PicturePyramid.Level, _ other: PicturePyramid.Level, _ overlap: Overlap, bias: Float, tolerance: Float,
        step: Int
    ) {
        let width = one.width
        let inverse = tolerance.isFinite ? 1 / (tolerance * tolerance) : 0
        one.pixels.withUnsafeBufferPointer { first in
            other.pixels.withUnsafeBufferPointer { second in
                guard let first = first.baseAddress, let second = second.baseAddress else { return }
                for row in stride(from: overlap.rows.lowerBound, to: overlap.rows.upperBound, by: step) {
                    let start = first + (row * width + overlap.columns.lowerBound)
                    let shifted =
                        second + ((row + overlap.whole.y) * width + overlap.columns.lowerBound + overlap.whole.x)
                    let line = Line(fixed: start, moved: shifted, width: width, part: overlap.part)
                    add(line, overlap.columns.count, bias: bias, inverse: inverse)
                }
            }
        }
    }

    @inline(__always)
    private mutating func add(_ line: Line, _ columns: Int, bias: Float, inverse: Float) {
        var (w, wx, wy) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        var (xx, xy, yy) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        var (wd, dx, dy, size) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        var x = 0
        while x &+ 8 <= columns {
            let (gx, gy) = line.gradient(x)
            let d = line.shifted(x) - line.value(x)
            let residual = d - bias
            let weight = 1 / (1 + residual * residual * inverse)
            let (weightedX, weightedY) = (weight * gx, weight * gy)
            w += weight
            wx += weightedX
            wy += weightedY
            xx += weightedX * gx
            xy += weightedX * gy
            yy += weightedY * gy
            wd += weight * d
            dx += weightedX * d
            dy += weightedY * d
            size += weight * residual.replacing(with: -residual, where: residual .< 0)
            x &+= 8
        }
        weight += w.sum()
        gradient += SIMD2(wx.sum(), wy.sum())
        square += SIMD3(xx.sum(), xy.sum(), yy.sum())
        difference += wd.sum()
        product += SIMD2(dx.sum(), dy.sum())
        absolute += size.sum()
        count += x
    }

    /// A row of the first picture and its position in the second.
    struct Line {
        let fixed: UnsafePointer<Float>
        let moved: UnsafePointer<Float>
        let width: Int
        let part: SIMD2<Float>

        @inline(__always)
        private static func load(_ pixels: UnsafePointer<Float>) -> SIMD8<Float> {
            UnsafeRawPointer(pixels).loadUnaligned(as: SIMD8<Float>.self)
        }

        @inline(__always)
        func value(_ x: Int) -> SIMD8<Float> { Self.load(fixed + x) }

        @inline(__always)
        func gradient(_ x: Int) -> (SIMD8<Float>, SIMD8<Float>) {
            let pixel = fixed + x
            return (
                (Self.load(pixel + 1) - Self.load(pixel - 1)) * 0.5,
                (Self.load(pixel + width) - Self.load(pixel - width)) * 0.5
            )
        }

        /// The shifted second picture, interpolated bilinearly.
        @inline(__always)
        func shifted(_ x: Int) -> SIMD8<Float> {
            let pixel = moved + x
            let (a, b) = (Self.load(pixel), Self.load(pixel + 1))
            let (c, d) = (Self.load(pixel + width), Self.load(pixel + width + 1))
            let (upper, lower) = (a + (b - a) * part.x, c + (d - c) * part.x)
            return upper + (lower - upper) * part.y
        }
    }
}

/// The similarity of the edges of two pictures at a shift.
enum GradientCorrelation {
    /// The correlation of the gradients over the overlap, -1...1; 0 without an overlap or for uniform pictures.
    static func value(
        _ one: PicturePyramid.Level, _ other: PicturePyramid.Level, shift: SIMD2<Double>, step: Int = 1
    ) -> Double {
        // One pixel more than usual, since the gradients of the shifted picture reach further.
        let overlap = Overlap(width: one.width, height: one.height, shift: shift, rim: 4)
        guard overlap.count > 0 else { return 0 }
        var (both, first, second): (Double, Double, Double) = (0, 0, 0)
        let width = one.width
        one.pixels.withUnsafeBufferPointer { fixed in
            other.pixels.withUnsafeBufferPointer { moved in
                guard let fixed = fixed.baseAddress, let moved = moved.baseAddress else { return }
                for row in stride(from: overlap.rows.lowerBound, to: overlap.rows.upperBound, by: step) {
                    let start = fixed + (row * width + overlap.columns.lowerBound)
                    let shifted =
                        moved + ((row + overlap.whole.y) * width + overlap.columns.lowerBound + overlap.whole.x)
                    let sums = line(start, shifted, width, overlap.part, overlap.columns.count)
                    both += Double(sums.x)
                    first += Double(sums.y)
                    second += Double(sums.z)
                }
            }
        }
        let scale = (first * second).squareRoot()
        return scale > 0 ? both / scale : 0
    }

    private static func line(
        _ fixed: UnsafePointer<Float>, _ moved: UnsafePointer<Float>, _ width: Int, _ part: SIMD2<Float>, _ columns: Int
    ) -> SIMD3<Float> {
        let line = AlignmentSums.Line(fixed: fixed, moved: moved, width: width, part: part)
        let (left, right) = (line.movedBy(-1), line.movedBy(1))
        let (above, below) = (line.movedBy(-width), line.movedBy(width))
        var (both, first, second) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
        var x = 0
        while x &+ 8 <= columns {
            let (gx, gy) = line.gradient(x)
            let hx = (right.shifted(x) - left.shifted(x)) * 0.5
            let hy = (below.shifted(x) - above.shifted(x)) * 0.5
            both += gx * hx + gy * hy
            first += gx * gx + gy * gy
            second += hx * hx + hy * hy
            x &+= 8
        }
        return SIMD3(both.sum(), first.sum(), second.sum())
    }
}

extension AlignmentSums.Line {
    /// The same row of the first picture with an additional offset in the second.
    fileprivate func movedBy(_ offset: Int) -> Self {
        Self(fixed: fixed, moved: moved + offset, width: width, part: part)
    }
}
