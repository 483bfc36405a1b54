public import Foundation

/// A point of a picture: 0...1 in both directions, origin at the lower left.
public struct NormalizedPoint: Hashable, Sendable, Codable {
    /// From the left edge, in picture widths.
    public var x: CGFloat
    /// From the lower edge, in picture heights.
    public var y: CGFloat

    /// Makes a point from shares of the picture's width and height.
    public init(x: CGFloat, y: CGFloat) {
        self.x = x
        self.y = y
    }

    /// The same numbers as a `CGPoint`.
    public var cgPoint: CGPoint { CGPoint(x: x, y: y) }

    /// The point in pixels of a picture of this size.
    public func toImageCoordinates(_ size: CGSize, origin: CoordinateOrigin = .lowerLeft) -> CGPoint {
        CGPoint(x: x * size.width, y: (origin == .lowerLeft ? y : 1 - y) * size.height)
    }
}

/// Which corner pixel coordinates count from.
public enum CoordinateOrigin: Sendable, Hashable, Codable {
    /// y grows upwards, as in Vision.
    case lowerLeft
    /// y grows downwards, as in most picture formats.
    case upperLeft
}

/// A rectangle of a picture: 0...1 in both directions, origin at the lower left.
public struct NormalizedRect: Hashable, Sendable, Codable {
    /// The lower left corner.
    public var origin: CGPoint
    /// Width and height as shares of the picture's.
    public var size: CGSize

    /// Makes a rectangle from its lower left corner and its size.
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
        origin = CGPoint(x: x, y: y)
        size = CGSize(width: width, height: height)
    }

    /// The whole picture.
    public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

    /// The same numbers as a `CGRect`.
    public var cgRect: CGRect { CGRect(origin: origin, size: size) }

    /// The rectangle in pixels of a picture of this size.
    public func toImageCoordinates(_ imageSize: CGSize, origin corner: CoordinateOrigin = .lowerLeft) -> CGRect {
        let y = corner == .lowerLeft ? origin.y : 1 - origin.y - size.height
        return CGRect(
            x: origin.x * imageSize.width, y: y * imageSize.height, width: size.width * imageSize.width,
            height: size.height * imageSize.height)
    }
}

/// A circle in a picture.
///
/// Pictures are rarely square, so a length needs a unit: the radius counts in picture widths.
public struct NormalizedCircle: Hashable, Sendable, Codable {
    /// The centre: 0...1 in both directions, origin at the lower left.
    public var center: NormalizedPoint
    /// The radius as a share of the picture's width.
    public var radius: CGFloat

    /// Makes a circle from its centre and its radius in picture widths.
    public init(center: NormalizedPoint, radius: CGFloat) {
        self.center = center
        self.radius = radius
    }

    /// Twice the radius, in picture widths.
    public var diameter: CGFloat { 2 * radius }
}

/// Closed polygons in a picture, for drawing: 0...1 in both directions, origin at the lower left.
///
/// It replaces Vision's `CGPath`, which exists only on Apple's systems.
public struct NormalizedPath: Hashable, Sendable, Codable {
    /// The vertices of every polygon; the last is joined to the first.
    public var polygons: [[NormalizedPoint]]

    /// Makes a path from polygons.
    public init(polygons: [[NormalizedPoint]]) {
        self.polygons = polygons
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { polygons.allSatisfy(\.isEmpty) }

    /// The smallest upright rectangle around all vertices; empty at the origin if there are none.
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
    /// The smallest upright rectangle around points; empty at the origin if there are none.
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

#if !canImport(CoreGraphics)
    /// An affine transform of the plane, with the names of Core Graphics, which exists only on Apple's systems.
    ///
    /// x' = a x + c y + tx, y' = b x + d y + ty.
    public struct CGAffineTransform: Hashable, Sendable, Codable {
        /// What x contributes to x'.
        public var a: CGFloat
        /// What x contributes to y'.
        public var b: CGFloat
        /// What y contributes to x'.
        public var c: CGFloat
        /// What y contributes to y'.
        public var d: CGFloat
        /// The translation along x.
        public var tx: CGFloat
        /// The translation along y.
        public var ty: CGFloat

        /// Makes a transform from its six numbers.
        public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
            (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
        }

        /// Makes a translation.
        public init(translationX tx: CGFloat, y ty: CGFloat) {
            self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
        }

        /// The transform that changes nothing.
        public static let identity = CGAffineTransform(translationX: 0, y: 0)

        /// Whether it changes nothing.
        public var isIdentity: Bool { self == .identity }
    }

    extension CGPoint {
        /// The transformed point.
        public func applying(_ transform: CGAffineTransform) -> CGPoint {
            CGPoint(
                x: transform.a * x + transform.c * y + transform.tx,
                y: transform.b * x + transform.d * y + transform.ty)
        }
    }
#endif

extension NormalizedPoint {
    /// Converts a point of a region of interest (0...1 of the region) to pixels of the whole picture.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
    ) -> CGPoint {
        inFullImage(from: regionOfInterest).toImageCoordinates(imageSize, origin: origin)
    }

    /// Converts a point of a region of interest (0...1 of the region) to a point of the whole picture (0...1 of it).
    public func inFullImage(from regionOfInterest: NormalizedRect) -> NormalizedPoint {
        NormalizedPoint(
            x: regionOfInterest.origin.x + x * regionOfInterest.size.width,
            y: regionOfInterest.origin.y + y * regionOfInterest.size.height)
    }
}

extension NormalizedRect {
    /// Converts a rectangle of a region of interest (0...1 of the region) to pixels of the whole picture.
    public func toImageCoordinates(
        from regionOfInterest: NormalizedRect, imageSize: CGSize, origin corner: CoordinateOrigin = .lowerLeft
    ) -> CGRect {
        inFullImage(from: regionOfInterest).toImageCoordinates(imageSize, origin: corner)
    }

    /// Converts a rectangle of a region of interest (0...1 of the region) to one of the whole picture (0...1 of it).
    public func inFullImage(from regionOfInterest: NormalizedRect) -> NormalizedRect {
        NormalizedRect(
            x: regionOfInterest.origin.x + origin.x * regionOfInterest.size.width,
            y: regionOfInterest.origin.y + origin.y * regionOfInterest.size.height,
            width: size.width * regionOfInterest.size.width, height: size.height * regionOfInterest.size.height)
    }
}
