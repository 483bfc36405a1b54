public import Foundation

/// Closed polygons of a picture, for drawing: 0...1 in both directions, origin at the lower left.
///
/// It stands where Vision has a `CGPath`, which only Apple's systems have.
public struct NormalizedPath: Hashable, Sendable, Codable {
    /// The corners of every polygon; the last is joined to the first.
    public var polygons: [[NormalizedPoint]]

    /// Makes a path from polygons.
    public init(polygons: [[NormalizedPoint]]) {
        self.polygons = polygons
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { polygons.allSatisfy(\.isEmpty) }

    /// The smallest upright rectangle around all corners; empty at the origin when there are none.
    public var boundingBox: NormalizedRect {
        NormalizedRect(around: polygons.lazy.joined().map { SIMD2(Double($0.x), Double($0.y)) })
    }

    /// Whether a point lies inside an odd number of the polygons, so that holes are outside.
    public func contains(_ point: NormalizedPoint) -> Bool {
        polygons.reduce(false) { inside, polygon in
            inside != Self.surrounds(polygon, point)
        }
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

extension NormalizedRect {
    /// The smallest upright rectangle around points; empty at the origin when there are none.
    package init(around points: some Sequence<SIMD2<Double>>) {
        var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
        for point in points {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        guard low.x <= high.x else {
            self.init(x: 0, y: 0, width: 0, height: 0)
            return
        }
        self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}
