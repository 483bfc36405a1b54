public import Foundation

/// A circle in a picture; the radius is in picture widths.
public struct NormalizedCircle: Hashable, Sendable, Codable {
    /// The centre: 0...1 in both directions, origin at the lower left.
    public var center: NormalizedPoint
    /// The radius as a share of the picture's width.
    public var radius: CGFloat

    /// Makes a circle from its centre and its radius in picture widths.
    public init(center: NormalizedPoint, radius: CGFloat) { (self.center, self.radius) = (center, radius) }

    /// Twice the radius, in picture widths.
    public var diameter: CGFloat { 2 * radius }
}
