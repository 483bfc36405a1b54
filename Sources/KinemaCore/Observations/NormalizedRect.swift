public import Foundation

/// A rectangle of a picture: 0...1 in both directions, origin at the lower left.
public struct NormalizedRect: Hashable, Sendable, Codable {
    /// The lower left corner.
    public var origin: CGPoint
    /// Width and height as shares of the picture's.
    public var size: CGSize

    /// Makes a rectangle from its lower left corner and its extent.
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
        origin = CGPoint(x: x, y: y)
        size = CGSize(width: width, height: height)
    }

    /// The whole picture.
    public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

    /// The same numbers as a `CGRect`.
    public var cgRect: CGRect { CGRect(origin: origin, size: size) }

    /// The rectangle in pixels of a picture of that size.
    public func toImageCoordinates(_ imageSize: CGSize, origin corner: CoordinateOrigin = .lowerLeft) -> CGRect {
        let y = corner == .lowerLeft ? origin.y : 1 - origin.y - size.height
        return CGRect(
            x: origin.x * imageSize.width, y: y * imageSize.height, width: size.width * imageSize.width,
            height: size.height * imageSize.height)
    }
}
