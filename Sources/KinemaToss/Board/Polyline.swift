import Foundation

/// Closed outlines and what they come to.
enum Polyline {
    /// The area, positive when the points run counterclockwise (y up).
    static func area(_ points: [CGPoint]) -> Double {
        var sum = 0.0
        for index in points.indices {
            let (a, b) = (points[index], points[(index + 1) % points.count])
            sum += a.x * b.y - b.x * a.y
        }
        return sum / 2
    }

    /// The middle of the area; of an outline without area the mean of its points.
    static func middle(_ points: [CGPoint]) -> CGPoint {
        let area = area(points)
        let count = Double(max(points.count, 1))
        let mean = CGPoint(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
        guard abs(area) > 1e-12 else { return mean }
        var (x, y) = (0.0, 0.0)
        for index in points.indices {
            let (a, b) = (points[index], points[(index + 1) % points.count])
            let cross = (a.x - mean.x) * (b.y - mean.y) - (b.x - mean.x) * (a.y - mean.y)
            x += (a.x + b.x - 2 * mean.x) * cross
            y += (a.y + b.y - 2 * mean.y) * cross
        }
        return CGPoint(x: mean.x + x / (6 * area), y: mean.y + y / (6 * area))
    }

    /// The four points of an outline's hull that keep the most of its area; nil when they are no quadrilateral.
    static func quadrilateral(_ points: [CGPoint]) -> [CGPoint]? {
        var corners = hull(points)
        guard corners.count >= 4 else { return nil }
        while corners.count > 4 {
            var least: (index: Int, loss: Double) = (0, .infinity)
            for index in corners.indices {
                let before = corners[(index + corners.count - 1) % corners.count]
                let after = corners[(index + 1) % corners.count]
                let loss = abs(area([before, corners[index], after]))
                if loss < least.loss { least = (index, loss) }
            }
            corners.remove(at: least.index)
        }
        return corners
    }

    /// The convex hull, counterclockwise (Andrew's chains).
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

    /// The quadrilateral whose edges run through the middle of the outline's steps: exact to a fraction of a pixel.
    static func straightened(_ corners: [CGPoint], along outline: [CGPoint]) -> [CGPoint]? {
        let samples = evenly(outline, count: 400)
        let lines = corners.indices.map { index in
            line(corners[index], corners[(index + 1) % corners.count], samples)
        }
        return corners.indices.map { index -> CGPoint in
            let before = lines[(index + lines.count - 1) % lines.count]
            return crossing(before, lines[index]) ?? corners[index]
        }
    }

    /// A point and a unit direction.
    private typealias Line = (point: CGPoint, direction: CGPoint)

    /// The line nearest to the samples along an edge, the ends left out since corners are round.
    private static func line(_ a: CGPoint, _ b: CGPoint, _ samples: [CGPoint]) -> Line {
        let way = CGPoint(x: b.x - a.x, y: b.y - a.y)
        let length = max(hypot(way.x, way.y), 1e-9)
        let unit = CGPoint(x: way.x / length, y: way.y / length)
        let near = samples.filter { sample in
            let along = (sample.x - a.x) * unit.x + (sample.y - a.y) * unit.y
            let off = abs((sample.y - a.y) * unit.x - (sample.x - a.x) * unit.y)
            return along > 0.1 * length && along < 0.9 * length && off < 0.06 * length
        }
        guard near.count >= 6 else { return (a, unit) }
        let count = Double(near.count)
        let mean = CGPoint(x: near.reduce(0) { $0 + $1.x } / count, y: near.reduce(0) { $0 + $1.y } / count)
        // The slope against the edge's own direction.
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

    private static func crossing(_ one: Line, _ other: Line) -> CGPoint? {
        let cross = one.direction.x * other.direction.y - one.direction.y * other.direction.x
        guard abs(cross) > 0.02 else { return nil }
        let way = CGPoint(x: other.point.x - one.point.x, y: other.point.y - one.point.y)
        let along = (way.x * other.direction.y - way.y * other.direction.x) / cross
        return CGPoint(x: one.point.x + one.direction.x * along, y: one.point.y + one.direction.y * along)
    }

    /// Points at even distances along a closed outline.
    private static func evenly(_ points: [CGPoint], count: Int) -> [CGPoint] {
        let edges = points.indices.map { index in (points[index], points[(index + 1) % points.count]) }
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
