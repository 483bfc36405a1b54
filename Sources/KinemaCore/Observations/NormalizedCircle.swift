public import Foundation

/// A circle of a picture.
///
/// A picture has more columns than rows or fewer, so a length needs a unit: the radius counts in picture widths.
public struct NormalizedCircle: Hashable, Sendable, Codable {
    /// The middle: 0...1 in both directions, origin at the lower left.
    public var center: NormalizedPoint
    /// The radius as a share of the picture's width.
    public var radius: CGFloat

    /// Makes a circle from its middle and its radius in picture widths.
    public init(center: NormalizedPoint, radius: CGFloat) {
        self.center = center
        self.radius = radius
    }

    /// Twice the radius, in picture widths.
    public var diameter: CGFloat { 2 * radius }
}
