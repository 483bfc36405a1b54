public import Foundation

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
