import Foundation

/// Geometry of closed outlines.
enum Polyline {
    /// The signed area, positive if the points run counterclockwise (y up).
    static func area(_ points: [CGPoint]) -> Double {
        var sum = 0.0
        for index in points.indices {
            let (a, b) = (points[index], points[(index + 1) % points.count])
            sum += a.x * b.y - b.x * a.y
        }
        return sum / 2
    }

    /// The centroid of the area; for an outline without area, the mean of its points.
    static func centroid(_ points: [CGPoint]) -> CGPoint {
        let area = area(points)
        let mean = mean(points)
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

    /// The mean of some points.
    static func mean(_ points: [CGPoint]) -> CGPoint {
        let count = Double(max(points.count, 1))
        return CGPoint(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    }

    /// The four points of the convex hull that keep the most of its area; nil for a hull of fewer points.
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
        let lines = corners.indices.map { index in
            line(corners[index], corners[(index + 1) % corners.count], samples)
        }
        return corners.indices.map { index -> CGPoint in
            let before = lines[(index + lines.count - 1) % lines.count]
            return intersection(before, lines[index]) ?? corners[index]
        }
    }

    /// A point and a unit direction.
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
