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
