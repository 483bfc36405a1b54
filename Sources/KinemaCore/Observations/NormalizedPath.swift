import Foundation

/// Closed polygons in an image, like Vision's `CGPath`: 0...1 in both directions, origin at the lower left.
public struct NormalizedPath: Hashable, Sendable, Codable {
    /// The vertices of every polygon; the last is joined to the first.
    public var polygons: [[NormalizedPoint]]

    /// Creates a path from polygons.
    package init(polygons: [[NormalizedPoint]]) { self.polygons = polygons }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { polygons.allSatisfy(\.isEmpty) }

    /// The smallest upright rectangle around all vertices; empty at the origin if there are none.
    public var boundingBox: NormalizedRect { NormalizedRect(around: polygons.lazy.joined().map(\.cgPoint)) }

    /// Whether a point is inside an odd number of the polygons, so that holes are outside.
    public func contains(_ point: NormalizedPoint) -> Bool {
        polygons.reduce(false) { inside, polygon in inside != Self.surrounds(polygon, point) }
    }

    private static func surrounds(_ polygon: [NormalizedPoint], _ point: NormalizedPoint) -> Bool {
        guard var last = polygon.last else { return false }
        var inside = false
        for corner in polygon {
            if (corner.y > point.y) != (last.y > point.y),
                point.x < last.x + (point.y - last.y) / (corner.y - last.y) * (corner.x - last.x)
            {
                inside.toggle()
            }
            last = corner
        }
        return inside
    }
}
