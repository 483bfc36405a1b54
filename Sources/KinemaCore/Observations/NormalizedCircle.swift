public import Foundation

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
