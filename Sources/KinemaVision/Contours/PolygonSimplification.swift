/// The algorithm of Ramer (1972) and of Douglas and Peucker (1973) on closed polygons.
enum PolygonSimplification {
    /// Which corners stay so that none of the others lies further than `epsilon` from the new outline; ascending.
    ///
    /// A polygon has no ends, so it is opened at two corners that lie far apart: the one furthest from its middle, and
    /// the one furthest from that.
    static func kept(_ points: [SIMD2<Double>], epsilon: Double) -> [Int] {
        guard points.count > 3 else { return Array(points.indices) }
        let middle = points.reduce(SIMD2(0, 0), +) / Double(points.count)
        let first = furthest(points, from: middle)
        let second = furthest(points, from: points[first])
        guard first != second else { return [first] }
        let (low, high) = (min(first, second), max(first, second))
        var isKept = [Bool](repeating: false, count: points.count)
        isKept[low] = true
        isKept[high] = true
        // Pairs of corners between which nothing is decided yet; the second may lie beyond the end, which is the start.
        var open = [(low, high), (high, low + points.count)]
        while let (from, to) = open.popLast() {
            guard let place = outermost(points, from, to, beyond: epsilon) else { continue }
            isKept[place % points.count] = true
            open.append((from, place))
            open.append((place, to))
        }
        return points.indices.filter { isKept[$0] }
    }

    private static func furthest(_ points: [SIMD2<Double>], from place: SIMD2<Double>) -> Int {
        points.indices.max { Polygon.distance(points[$0], place) < Polygon.distance(points[$1], place) } ?? 0
    }

    /// The corner between two that lies furthest from the line between them, nil when none is further than `epsilon`.
    private static func outermost(_ points: [SIMD2<Double>], _ from: Int, _ to: Int, beyond epsilon: Double) -> Int? {
        guard to - from > 1 else { return nil }
        let start = points[from % points.count]
        let line = points[to % points.count] - start
        let length = (line.x * line.x + line.y * line.y).squareRoot()
        var (best, furthest): (Int?, Double) = (nil, epsilon)
        for index in from + 1..<to {
            let way = points[index % points.count] - start
            let share = length > 0 ? (way.x * line.x + way.y * line.y) / (length * length) : 0
            // Beyond an end of the line its end is nearest.
            let distance =
                (0...1).contains(share) && length > 0
                ? abs(Polygon.cross(line, way)) / length : Polygon.distance(way, line * min(max(share, 0), 1))
            if distance > furthest { (best, furthest) = (index, distance) }
        }
        return best
    }
}
