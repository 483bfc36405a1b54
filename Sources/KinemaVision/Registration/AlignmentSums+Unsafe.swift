// SAFETY: `Overlap` clips rows and columns so that the shifted picture and the neighbours of every pixel exist; lanes
// beyond a row's end are not read.

/// The part of two pictures of one size that shows the same when the second is shifted back, without its rim.
struct Overlap {
    let columns: Range<Int>
    let rows: Range<Int>
    /// The shift in whole pixels, downwards.
    let whole: SIMD2<Int>
    /// What remains of it, 0..<1.
    let part: SIMD2<Float>

    /// `rim` pixels on each side are left out, where smoothing has seen the edge; at least one.
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

/// What least squares needs to know of two pictures at a shift; see `accumulate`.
struct AlignmentSums {
    private(set) var weight: Float = 0
    private(set) var gradient = SIMD2<Float>(0, 0)
    private(set) var square = SIMD3<Float>(0, 0, 0)
    private(set) var difference: Float = 0
    private(set) var product = SIMD2<Float>(0, 0)
    private(set) var absolute: Float = 0
    private(set) var count = 0

    /// Adds up over every `step`th row of the overlap: weights, gradients of the first picture (g), their products, and
    /// their products with the differences (d) of the second picture, shifted back, from the first.
    ///
    /// A pixel's weight is 1 / (1 + (d / tolerance)^2), so that what moves by itself hardly counts (Cauchy's function).
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
            let free = d - bias
            let weight = 1 / (1 + free * free * inverse)
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
            size += weight * free.replacing(with: -free, where: free .< 0)
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

    /// A row of the first picture and where it lies in the second.
    struct Line {
        let fixed: UnsafePointer<Float>
        let moved: UnsafePointer<Float>
        let width: Int
        let part: SIMD2<Float>

        @inline(__always)
        private static func load(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
            UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
        }

        @inline(__always)
        func value(_ x: Int) -> SIMD8<Float> { Self.load(fixed + x) }

        @inline(__always)
        func gradient(_ x: Int) -> (SIMD8<Float>, SIMD8<Float>) {
            let place = fixed + x
            return (
                (Self.load(place + 1) - Self.load(place - 1)) * 0.5,
                (Self.load(place + width) - Self.load(place - width)) * 0.5
            )
        }

        /// The second picture between its pixels.
        @inline(__always)
        func shifted(_ x: Int) -> SIMD8<Float> {
            let place = moved + x
            let (a, b) = (Self.load(place), Self.load(place + 1))
            let (c, d) = (Self.load(place + width), Self.load(place + width + 1))
            let (upper, lower) = (a + (b - a) * part.x, c + (d - c) * part.x)
            return upper + (lower - upper) * part.y
        }
    }
}

/// How alike the edges of two pictures are at a shift: -1...1.
enum EdgeAgreement {
    /// The correlation of the gradients over the overlap; 0 where there is none, or nothing but one brightness.
    static func correlation(
        _ one: PicturePyramid.Level, _ other: PicturePyramid.Level, shift: SIMD2<Double>, step: Int = 1
    ) -> Double {
        // One pixel more, since gradients of the second picture reach further.
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
    /// The same row of the first picture beside another place of the second.
    fileprivate func movedBy(_ offset: Int) -> Self {
        Self(fixed: fixed, moved: moved + offset, width: width, part: part)
    }
}
