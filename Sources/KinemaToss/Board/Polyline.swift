import Foundation

enum Polyline {
    /// Each point of a closed outline with the next one.
    private static func edges(_ points: [CGPoint]) -> [(CGPoint, CGPoint)] {
        points.indices.map { (points[$0], points[($0 + 1) % points.count]) }
    }

    static func area(_ points: [CGPoint]) -> Double {
        edges(points).reduce(0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) } / 2
    }

    /// The centroid of the area; for an outline without area, the mean of its points.
    static func centroid(_ points: [CGPoint]) -> CGPoint {
        let area = area(points)
        let mean = mean(points)
        guard abs(area) > 1e-12 else { return mean }
        var (x, y) = (0.0, 0.0)
        for (a, b) in edges(points) {
            let cross = (a.x - mean.x) * (b.y - mean.y) - (b.x - mean.x) * (a.y - mean.y)
            x += (a.x + b.x - 2 * mean.x) * cross
            y += (a.y + b.y - 2 * mean.y) * cross
        }
        return CGPoint(x: mean.x + x / (6 * area), y: mean.y + y / (6 * area))
    }

    static func mean(_ points: [CGPoint]) -> CGPoint {
        let count = Double(max(points.count, 1))
        return CGPoint(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    }

    static func contains(_ point: CGPoint, _ polygon: [CGPoint]) -> Bool {
        let sides = edges(polygon).map { area([$0, $1, point]) }
        return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
    }

    /// The three likeliest quadrilaterals of a convex outline: its main corners, or extended edges if one is hidden.
    static func quadrilaterals(around hull: [CGPoint]) -> [[CGPoint]] {
        let size = abs(area(hull))
        let corners = simplified(hull, to: 7, allowedLoss: 0.01 * size)
        guard corners.count >= 4 else { return [] }
        let main = simplified(corners, to: 4, allowedLoss: 0)
        guard corners.count > 4 else { return [main] }
        var extended: [(corners: [CGPoint], share: Double)] = []
        for edges in combinations(of: 4, from: corners.count) {
            guard let quad = extending(edges, of: corners) else { continue }
            let enclosed = abs(area(quad))
            guard enclosed > 0.97 * size, enclosed < 1.34 * size else { continue }
            let length = edges.reduce(0) { $0 + distance(corners[$1], corners[($1 + 1) % corners.count]) }
            let perimeter = quad.indices.reduce(0) { $0 + distance(quad[$1], quad[($1 + 1) % 4]) }
            extended.append((quad, length / perimeter))
        }
        return [main] + extended.sorted { $0.share > $1.share }.prefix(2).map(\.corners)
    }

    /// Removes the corners of a convex polygon that enclose the least, down to `count`, and more within `allowedLoss`.
    private static func simplified(_ polygon: [CGPoint], to count: Int, allowedLoss: Double) -> [CGPoint] {
        var corners = polygon
        while corners.count > 4 || corners.count > count {
            var least: (index: Int, loss: Double) = (0, .infinity)
            for index in corners.indices {
                let before = corners[(index + corners.count - 1) % corners.count]
                let after = corners[(index + 1) % corners.count]
                let loss = abs(area([before, corners[index], after]))
                if loss < least.loss { least = (index, loss) }
            }
            guard corners.count > count || least.loss <= allowedLoss else { break }
            corners.remove(at: least.index)
        }
        return corners
    }

    /// The corners where chosen edges of a convex polygon meet when extended; nil if two do not meet.
    private static func extending(_ edges: [Int], of polygon: [CGPoint]) -> [CGPoint]? {
        func end(_ index: Int) -> CGPoint { polygon[index % polygon.count] }
        func direction(_ index: Int) -> CGPoint {
            let length = max(distance(end(index), end(index + 1)), 1e-9)
            return CGPoint(x: (end(index + 1).x - end(index).x) / length, y: (end(index + 1).y - end(index).y) / length)
        }
        let corners = edges.indices.compactMap { place -> CGPoint? in
            let (one, next) = (edges[place], edges[(place + 1) % edges.count])
            let (ahead, turn) = (direction(one), direction(next))
            // Counterclockwise, each edge turns left of the one before.
            guard ahead.x * turn.y - ahead.y * turn.x > 0.02 else { return nil }
            return intersection((end(one), ahead), (end(next), turn))
        }
        return corners.count == edges.count ? corners : nil
    }

    /// All choices of some numbers from 0 to `count`, each in rising order.
    private static func combinations(of size: Int, from count: Int, since first: Int = 0) -> [[Int]] {
        guard size > 0 else { return [[]] }
        guard count - first >= size else { return [] }
        return (first...count - size).flatMap { start in
            combinations(of: size - 1, from: count, since: start + 1).map { [start] + $0 }
        }
    }

    /// The share of a quadrilateral's edges along which an outline runs, 0...1.
    static func support(of corners: [CGPoint], by outline: [CGPoint]) -> Double {
        let samples = resampled(outline, count: 240)
        let lengths = edges(corners).map(distance)
        let near = 0.02 * (lengths.max() ?? 0)
        let shares = edges(corners).map { a, b -> Double in
            let steps = (0..<12).count { step in
                let share = (Double(step) + 0.5) / 12
                let point = CGPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
                return samples.contains { distance($0, point) < near }
            }
            return Double(steps) / 12
        }
        return zip(shares, lengths).reduce(0) { $0 + $1.0 * $1.1 } / max(lengths.reduce(0, +), 1e-9)
    }

    private static func distance(_ one: CGPoint, _ other: CGPoint) -> Double { hypot(one.x - other.x, one.y - other.y) }

    /// The convex hull, counterclockwise (Andrew's monotone chain).
    static func hull(_ points: [CGPoint]) -> [CGPoint] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: [CGPoint]) -> [CGPoint] {
            var chain: [CGPoint] = []
            for point in points {
                while chain.count >= 2, area([chain[chain.count - 2], chain[chain.count - 1], point]) <= 0 {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        return chain(sorted) + chain(sorted.reversed())
    }

    /// Fits each edge of a quadrilateral to the outline, which averages pixel steps to a fraction of a pixel.
    static func straightened(_ corners: [CGPoint], along outline: [CGPoint]) -> [CGPoint] {
        let samples = resampled(outline, count: 400)
        let lines = edges(corners).map { line($0, $1, samples) }
        return corners.indices.map { index -> CGPoint in
            let before = lines[(index + lines.count - 1) % lines.count]
            return intersection(before, lines[index]) ?? corners[index]
        }
    }

    private typealias Line = (point: CGPoint, direction: CGPoint)

    /// The least-squares line through the samples along an edge; leaves out the ends, because corners are round.
    private static func line(_ a: CGPoint, _ b: CGPoint, _ samples: [CGPoint]) -> Line {
        let edge = CGPoint(x: b.x - a.x, y: b.y - a.y)
        let length = max(hypot(edge.x, edge.y), 1e-9)
        let unit = CGPoint(x: edge.x / length, y: edge.y / length)
        let near = samples.filter { sample in
            let along = (sample.x - a.x) * unit.x + (sample.y - a.y) * unit.y
            let off = abs((sample.y - a.y) * unit.x - (sample.x - a.x) * unit.y)
            return along > 0.1 * length && along < 0.9 * length && off < 0.06 * length
        }
        guard near.count >= 6 else { return (a, unit) }
        let mean = mean(near)
        // The slope relative to the edge's own direction.
        var (square, product) = (0.0, 0.0)
        for sample in near {
            let along = (sample.x - mean.x) * unit.x + (sample.y - mean.y) * unit.y
            let off = (sample.y - mean.y) * unit.x - (sample.x - mean.x) * unit.y
            square += along * along
            product += along * off
        }
        let slope = square > 0 ? product / square : 0
        let direction = CGPoint(x: unit.x - slope * unit.y, y: unit.y + slope * unit.x)
        let size = hypot(direction.x, direction.y)
        return (mean, CGPoint(x: direction.x / size, y: direction.y / size))
    }

    private static func intersection(_ one: Line, _ other: Line) -> CGPoint? {
        let cross = one.direction.x * other.direction.y - one.direction.y * other.direction.x
        guard abs(cross) > 0.02 else { return nil }
        let offset = CGPoint(x: other.point.x - one.point.x, y: other.point.y - one.point.y)
        let along = (offset.x * other.direction.y - offset.y * other.direction.x) / cross
        return CGPoint(x: one.point.x + one.direction.x * along, y: one.point.y + one.direction.y * along)
    }

    /// Points at equal distances along a closed outline.
    private static func resampled(_ points: [CGPoint], count: Int) -> [CGPoint] {
        let edges = edges(points)
        let total = edges.reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
        guard total > 0 else { return points }
        let step = total / Double(count)
        var samples: [CGPoint] = []
        var rest = 0.0
        for (a, b) in edges {
            let length = hypot(b.x - a.x, b.y - a.y)
            var along = rest
            while along < length {
                let share = along / length
                samples.append(CGPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share))
                along += step
            }
            rest = along - length
        }
        return samples
    }
}
