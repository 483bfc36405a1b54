/// Measures of closed polygons; coordinates of any kind, the same unit in both directions.
enum Polygon {
    /// The area by the shoelace formula: positive when the corners go around from x towards y, else negative.
    static func orientedArea(_ points: some Collection<SIMD2<Double>>) -> Double {
        guard let origin = points.first else { return 0 }
        var sum = 0.0
        var last = SIMD2(0.0, 0.0)
        for point in points {
            // From a corner of its own, so that little polygons far out lose no digits.
            let next = point - origin
            sum += last.x * next.y - next.x * last.y
            last = next
        }
        return sum / 2
    }

    /// The length all around.
    static func perimeter(_ points: [SIMD2<Double>]) -> Double {
        guard var last = points.last else { return 0 }
        return points.reduce(0) { sum, point in
            defer { last = point }
            return sum + distance(last, point)
        }
    }

    static func distance(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Double {
        let way = other - one
        return (way.x * way.x + way.y * way.y).squareRoot()
    }

    static func cross(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Double {
        one.x * other.y - one.y * other.x
    }

    /// The corners of the convex hull, going around from x towards y (Andrew 1979, monotone chain).
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
