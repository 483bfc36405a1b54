import KinemaCore

/// Measurements of closed polygons, in coordinates with the same unit in both directions.
enum Polygon {
    /// The area by the shoelace formula: positive if the polygon turns from x towards y.
    static func orientedArea(_ points: some Collection<SIMD2<Double>>) -> Double {
        guard let origin = points.first else { return 0 }
        var sum = 0.0
        var last = SIMD2(0.0, 0.0)
        for point in points {
            // Coordinates relative to the first point keep precision for small polygons far from the origin.
            let next = point - origin
            sum += last.x * next.y - next.x * last.y
            last = next
        }
        return sum / 2
    }

    static func perimeter(_ points: [SIMD2<Double>]) -> Double {
        guard var last = points.last else { return 0 }
        return points.reduce(0) { sum, point in
            defer { last = point }
            return sum + distance(last, point)
        }
    }

    static func distance(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Double { (other - one).length }

    static func cross(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Double { one.x * other.y - one.y * other.x }

    /// The corners of the convex hull, turning from x towards y (Andrew 1979, monotone chain).
    static func hull(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { $0.x != $1.x ? $0.x < $1.x : $0.y < $1.y }
        guard let first = sorted.first, let last = sorted.last, first != last else { return Array(sorted.prefix(1)) }
        func chain(_ points: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
            var chain: [SIMD2<Double>] = []
            for point in points {
                while chain.count > 1,
                    cross(chain[chain.count - 1] - chain[chain.count - 2], point - chain[chain.count - 2]) <= 0
                {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain
        }
        return chain(sorted).dropLast() + chain(sorted.reversed()).dropLast()
    }
}

/// The Ramer-Douglas-Peucker algorithm (1972, 1973) for closed polygons.
enum PolygonSimplification {
    /// The ascending indices of the corners to keep; the others lie within `epsilon` of the simplified polygon. The
    /// polygon is opened at two corners far apart: the one furthest from the centre, and the one furthest from that.
    static func indices(of points: [SIMD2<Double>], epsilon: Double) -> [Int] {
        guard points.count > 3 else { return Array(points.indices) }
        let center = points.reduce(SIMD2(0, 0), +) / Double(points.count)
        let first = furthest(points, from: center)
        let second = furthest(points, from: points[first])
        guard first != second else { return [first] }
        let (low, high) = (min(first, second), max(first, second))
        var isKept = [Bool](repeating: false, count: points.count)
        isKept[low] = true
        isKept[high] = true
        // The sections still to be simplified; indices beyond the end wrap around.
        var sections = [(low, high), (high, low + points.count)]
        while let (from, to) = sections.popLast() {
            guard let index = outermost(points, from, to, beyond: epsilon) else { continue }
            isKept[index % points.count] = true
            sections.append((from, index))
            sections.append((index, to))
        }
        return points.indices.filter { isKept[$0] }
    }

    private static func furthest(_ points: [SIMD2<Double>], from center: SIMD2<Double>) -> Int {
        points.indices.max { Polygon.distance(points[$0], center) < Polygon.distance(points[$1], center) } ?? 0
    }

    /// The corner of a section that is furthest from the line between its ends; nil if none exceeds `epsilon`.
    private static func outermost(_ points: [SIMD2<Double>], _ from: Int, _ to: Int, beyond epsilon: Double) -> Int? {
        guard to - from > 1 else { return nil }
        let start = points[from % points.count]
        let line = points[to % points.count] - start
        let length = line.length
        var (best, furthest): (Int?, Double) = (nil, epsilon)
        for index in from + 1..<to {
            let offset = points[index % points.count] - start
            let share = length > 0 ? (offset.x * line.x + offset.y * line.y) / (length * length) : 0
            // Beyond the line's ends, the distance to the nearer end counts.
            let distance =
                (0...1).contains(share) && length > 0
                ? abs(Polygon.cross(line, offset)) / length : Polygon.distance(offset, line * min(max(share, 0), 1))
            if distance > furthest { (best, furthest) = (index, distance) }
        }
        return best
    }
}

struct EnclosingRectangle: Sendable, Equatable {
    /// The corners, turning from x towards y.
    var corners: [SIMD2<Double>]

    /// The rectangle around points, with a side on a side of the convex hull (Freeman and Shapira 1975).
    init(around points: [SIMD2<Double>]) {
        let hull = Polygon.hull(points)
        guard hull.count > 1 else {
            corners = [SIMD2<Double>](repeating: hull.first ?? SIMD2(0, 0), count: 4)
            return
        }
        var best: (area: Double, corners: [SIMD2<Double>])?
        for (index, corner) in hull.enumerated() {
            let next = hull[(index + 1) % hull.count]
            let along = (next - corner) / Polygon.distance(corner, next)
            let across = SIMD2(-along.y, along.x)
            let (low, high) = hull.map { point -> SIMD2<Double> in
                SIMD2(((point - corner) * along).sum(), ((point - corner) * across).sum())
            }.bounds
            let area = (high.x - low.x) * (high.y - low.y)
            guard area < (best?.area ?? .infinity) else { continue }
            best = (
                area,
                [SIMD2(low.x, low.y), SIMD2(high.x, low.y), SIMD2(high.x, high.y), SIMD2(low.x, high.y)]
                    .map { corner + along * $0.x + across * $0.y }
            )
        }
        corners = best?.corners ?? []
    }
}

/// The smallest circle around points (Welzl 1991, iterative form).
struct EnclosingCircle: Sendable, Equatable {
    var center: SIMD2<Double>
    var radius: Double
}

extension EnclosingCircle {
    init(around points: [SIMD2<Double>]) {
        // Only hull corners can lie on the circle. Visiting them far apart lets the circle grow in few steps.
        let hull = Polygon.hull(points)
        let step = Self.step(hull.count)
        let corners = hull.indices.map { hull[$0 * step % hull.count] }
        self.init(center: corners.first ?? SIMD2(0, 0), radius: 0)
        for (index, corner) in corners.enumerated() where !contains(corner) {
            self.init(center: corner, radius: 0)
            for (other, second) in corners[..<index].enumerated() where !contains(second) {
                self.init(over: corner, second)
                for third in corners[..<other] where !contains(third) {
                    self.init(through: corner, second, third)
                }
            }
        }
    }

    private init(over one: SIMD2<Double>, _ other: SIMD2<Double>) {
        self.init(center: (one + other) / 2, radius: Polygon.distance(one, other) / 2)
    }

    private init(through a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) {
        let (ab, ac) = (b - a, c - a)
        let double = 2 * Polygon.cross(ab, ac)
        guard abs(double) > 1e-300 else {
            // Of collinear points, the two furthest apart enclose the third.
            let pairs = [(a, b), (a, c), (b, c)].max { Polygon.distance($0.0, $0.1) < Polygon.distance($1.0, $1.1) }
            self.init(over: pairs?.0 ?? a, pairs?.1 ?? b)
            return
        }
        let (lengthB, lengthC) = ((ab * ab).sum(), (ac * ac).sum())
        let offset = SIMD2(ac.y * lengthB - ab.y * lengthC, ab.x * lengthC - ac.x * lengthB) / double
        self.init(center: a + offset, radius: Polygon.distance(.zero, offset))
    }

    func contains(_ point: SIMD2<Double>) -> Bool {
        Polygon.distance(center, point) <= radius * (1 + 1e-12) + 1e-15
    }

    /// A step that visits all of `count` corners, each far from the previous one.
    private static func step(_ count: Int) -> Int {
        guard count > 2 else { return 1 }
        func commonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : commonDivisor(b, a % b) }
        // The golden ratio spreads the corners most evenly.
        var step = max(1, Int(Double(count) * 0.618))
        while commonDivisor(step, count) != 1 { step += 1 }
        return step
    }
}
