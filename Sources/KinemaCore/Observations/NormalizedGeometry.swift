public import Foundation

/// A point of an image: 0...1 in both directions, origin at the lower left.
public struct NormalizedPoint: Hashable, Sendable, Codable, CustomStringConvertible {
    /// From the left edge in image widths, and from the lower edge in image heights.
    public var x, y: CGFloat

    /// Creates a point from shares of the image's width and height.
    public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }

    /// Makes a point from the same numbers.
    public init(normalizedPoint point: CGPoint) { self.init(x: point.x, y: point.y) }

    /// Makes a point from pixels of a picture of this size, origin at the lower left.
    public init(imagePoint point: CGPoint, in imageSize: CGSize) {
        self.init(x: point.x / imageSize.width, y: point.y / imageSize.height)
    }

    /// Makes a point of a region of interest (0...1 of the region) from pixels of the whole picture.
    public init(imagePoint point: CGPoint, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect) {
        self = NormalizedPoint(imagePoint: point, in: imageSize).relative(to: regionOfInterest)
    }

    /// The lower left corner.
    public static let zero = NormalizedPoint(x: 0, y: 0)

    /// The point with y measured from the opposite edge.
    public func verticallyFlipped() -> NormalizedPoint { NormalizedPoint(x: x, y: 1 - y) }

    /// The same numbers as a `CGPoint`.
    public var cgPoint: CGPoint { CGPoint(x: x, y: y) }

    /// The coordinates, as in `[0.25, 0.5]`.
    public var description: String { "[\(x), \(y)]" }

    /// The point in pixels of an image of this size.
    public func toImageCoordinates(_ size: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGPoint {
        CGPoint(x: x * size.width, y: (origin == .lowerLeft ? y : 1 - y) * size.height)
    }

    /// Converts a point of a region of interest (0...1 of the region) to pixels of the whole image.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> CGPoint {
        inFullImage(from: regionOfInterest).toImageCoordinates(imageSize, origin: origin)
    }

    /// Converts a point of the whole image to one of a region of interest (0...1 of the region).
    package func relative(to regionOfInterest: NormalizedRect) -> NormalizedPoint {
        NormalizedPoint(
            x: (x - regionOfInterest.origin.x) / regionOfInterest.size.width,
            y: (y - regionOfInterest.origin.y) / regionOfInterest.size.height)
    }

    /// Converts a point of a region of interest (0...1 of the region) to a point of the whole image (0...1 of it).
    public func inFullImage(from regionOfInterest: NormalizedRect) -> NormalizedPoint {
        NormalizedPoint(
            x: regionOfInterest.origin.x + x * regionOfInterest.size.width,
            y: regionOfInterest.origin.y + y * regionOfInterest.size.height)
    }
}

/// The corner that pixel coordinates count from.
public enum CoordinateOrigin: Sendable, Hashable, Codable {
    /// y grows upwards, as in Vision.
    case lowerLeft
    /// y grows downwards, as in most image formats.
    case upperLeft
}

/// A rectangle of an image: 0...1 in both directions, origin at the lower left.
public struct NormalizedRect: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The lower left corner.
    public var origin: CGPoint
    /// Width and height as shares of the image's.
    public var size: CGSize

    /// Creates a rectangle from its lower left corner and its size.
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
        origin = CGPoint(x: x, y: y)
        size = CGSize(width: width, height: height)
    }

    /// Makes a rectangle from the same numbers.
    public init(normalizedRect rect: CGRect) { (origin, size) = (rect.origin, rect.size) }

    /// Makes a rectangle from pixels of a picture of this size, origin at the lower left.
    public init(imageRect rect: CGRect, in imageSize: CGSize) {
        self.init(
            x: rect.minX / imageSize.width, y: rect.minY / imageSize.height, width: rect.width / imageSize.width,
            height: rect.height / imageSize.height)
    }

    /// Makes a rectangle of a region of interest (0...1 of the region) from pixels of the whole picture.
    public init(imageRect rect: CGRect, in imageSize: CGSize, normalizedTo regionOfInterest: NormalizedRect) {
        let corner = NormalizedPoint(imagePoint: rect.origin, in: imageSize, normalizedTo: regionOfInterest)
        self.init(
            x: corner.x, y: corner.y, width: rect.width / imageSize.width / regionOfInterest.width,
            height: rect.height / imageSize.height / regionOfInterest.height)
    }

    /// The smallest upright rectangle around points; empty at the origin if there are none.
    package init(around points: some Sequence<CGPoint>) {
        let box = CGRect(around: points) ?? .zero
        (origin, size) = (box.origin, box.size)
    }

    /// The whole image.
    public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

    /// The width as a share of the picture's.
    public var width: CGFloat { size.width }
    /// The height as a share of the picture's.
    public var height: CGFloat { size.height }

    /// The rectangle with y measured from the opposite edge.
    public func verticallyFlipped() -> NormalizedRect {
        NormalizedRect(x: origin.x, y: 1 - origin.y - size.height, width: size.width, height: size.height)
    }

    /// The same numbers as a `CGRect`.
    public var cgRect: CGRect { CGRect(origin: origin, size: size) }

    /// Corner, width and height, as in `[0.25, 0.5, 0.5, 0.25]`.
    public var description: String { "[\(origin.x), \(origin.y), \(width), \(height)]" }

    /// The rectangle in pixels of an image of this size.
    public func toImageCoordinates(_ imageSize: CGSize, origin corner: CoordinateOrigin = .lowerLeft) -> CGRect {
        let y = corner == .lowerLeft ? origin.y : 1 - origin.y - size.height
        return CGRect(
            x: origin.x * imageSize.width, y: y * imageSize.height, width: size.width * imageSize.width,
            height: size.height * imageSize.height)
    }

    /// Converts a rectangle of a region of interest (0...1 of the region) to pixels of the whole image.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin corner: CoordinateOrigin = .lowerLeft
    ) -> CGRect {
        inFullImage(from: regionOfInterest).toImageCoordinates(imageSize, origin: corner)
    }

    /// Converts a rectangle of a region of interest (0...1 of the region) to one of the whole image (0...1 of it).
    public func inFullImage(from regionOfInterest: NormalizedRect) -> NormalizedRect {
        NormalizedRect(
            x: regionOfInterest.origin.x + origin.x * regionOfInterest.size.width,
            y: regionOfInterest.origin.y + origin.y * regionOfInterest.size.height,
            width: size.width * regionOfInterest.size.width, height: size.height * regionOfInterest.size.height)
    }
}

extension CGRect {
    /// The smallest upright rectangle around points; nil if there are none.
    package init?(around points: some Sequence<CGPoint>) {
        var low = CGPoint(x: CGFloat.infinity, y: .infinity)
        var high = CGPoint(x: -CGFloat.infinity, y: -.infinity)
        for point in points {
            low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
            high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        guard low.x <= high.x else { return nil }
        self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// The corners in order around the rectangle, the one of the least x and y first.
    package var corners: [CGPoint] {
        [CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: maxX, y: maxY), CGPoint(x: minX, y: maxY)]
    }
}

/// A circle in an image; the radius is in image widths.
public struct NormalizedCircle: Hashable, Sendable, Codable {
    /// The centre: 0...1 in both directions, origin at the lower left.
    public var center: NormalizedPoint
    /// The radius as a share of the image's width.
    public var radius: CGFloat

    /// Creates a circle from its centre and its radius in image widths.
    public init(center: NormalizedPoint, radius: CGFloat) { (self.center, self.radius) = (center, radius) }

    /// Twice the radius, in image widths.
    public var diameter: CGFloat { 2 * radius }
}

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
