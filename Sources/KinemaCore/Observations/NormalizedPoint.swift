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

    /// The point in pixels of a picture of that size.
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
