public import Foundation

/// A point of an image: 0...1 in both directions, origin at the lower left.
public class VNPoint: Hashable {
    /// The coordinates.
    public let location: CGPoint

    /// Makes a point from its coordinates.
    public init(location: CGPoint) { self.location = location }

    /// Makes a point from its coordinates.
    public convenience init(x: Double, y: Double) { self.init(location: CGPoint(x: x, y: y)) }

    /// The lower left corner.
    public class var zero: VNPoint { VNPoint(x: 0, y: 0) }

    /// From the left edge in image widths.
    public var x: Double { location.x }
    /// From the lower edge in image heights.
    public var y: Double { location.y }

    /// The distance to another point in normalised units, in which an image's width and height are both 1.
    public func distance(_ point: VNPoint) -> Double { hypot(x - point.x, y - point.y) }

    /// The distance between two points in normalised units.
    public static func distance(_ one: VNPoint, _ other: VNPoint) -> Double { one.distance(other) }

    /// Compares the coordinates.
    public static func == (one: VNPoint, other: VNPoint) -> Bool { one.location == other.location }

    /// Hashes the coordinates.
    public func hash(into hasher: inout Hasher) { [x, y].hash(into: &hasher) }
}
