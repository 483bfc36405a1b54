public import Foundation
import KinemaCore

/// A confidence, 0...1.
public typealias VNConfidence = Float

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

/// A point and how sure it is.
public class VNDetectedPoint: VNPoint {
    /// The probability that the point is at `location`, 0...1.
    public let confidence: VNConfidence

    init(_ joint: Joint?) {
        confidence = joint?.confidence ?? 0
        super.init(location: joint?.location.cgPoint ?? .zero)
    }
}

/// A joint of a body or a hand.
public final class VNRecognizedPoint: VNDetectedPoint {
    /// The joint's key.
    public let identifier: VNRecognizedPointKey

    init(_ identifier: VNRecognizedPointKey, _ joint: Joint?) {
        self.identifier = identifier
        super.init(joint)
    }
}

/// A circle; the radius is in image widths.
public final class VNCircle {
    /// The centre, 0...1, origin at the lower left.
    public let center: VNPoint
    /// The radius in image widths.
    public let radius: Double

    /// Makes a circle from its centre and radius.
    public init(center: VNPoint, radius: Double) { (self.center, self.radius) = (center, radius) }

    /// Twice the radius.
    public var diameter: Double { 2 * radius }
}

/// The whole image.
public let VNNormalizedIdentityRect = CGRect(x: 0, y: 0, width: 1, height: 1)

/// Whether a rectangle is the whole image.
public func VNNormalizedRectIsIdentityRect(_ rect: CGRect) -> Bool { rect == VNNormalizedIdentityRect }

/// A normalised point in pixels of an image, origin at the lower left.
public func VNImagePointForNormalizedPoint(_ point: CGPoint, _ width: Int, _ height: Int) -> CGPoint {
    NormalizedPoint(normalizedPoint: point).toImageCoordinates(CGSize(width: width, height: height))
}

/// A point of a region of interest in pixels of the whole image, origin at the lower left.
public func VNImagePointForNormalizedPointUsingRegionOfInterest(
    _ point: CGPoint, _ width: Int, _ height: Int, _ regionOfInterest: CGRect
) -> CGPoint {
    NormalizedPoint(normalizedPoint: point).toImageCoordinates(
        from: NormalizedRect(normalizedRect: regionOfInterest), imageSize: CGSize(width: width, height: height))
}

/// A normalised rectangle in pixels of an image, origin at the lower left.
public func VNImageRectForNormalizedRect(_ rect: CGRect, _ width: Int, _ height: Int) -> CGRect {
    NormalizedRect(normalizedRect: rect).toImageCoordinates(CGSize(width: width, height: height))
}

/// A rectangle of a region of interest in pixels of the whole image, origin at the lower left.
public func VNImageRectForNormalizedRectUsingRegionOfInterest(
    _ rect: CGRect, _ width: Int, _ height: Int, _ regionOfInterest: CGRect
) -> CGRect {
    NormalizedRect(normalizedRect: rect).toImageCoordinates(
        from: NormalizedRect(normalizedRect: regionOfInterest), imageSize: CGSize(width: width, height: height))
}

/// Pixels of an image as a normalised point, origin at the lower left.
public func VNNormalizedPointForImagePoint(_ point: CGPoint, _ width: Int, _ height: Int) -> CGPoint {
    NormalizedPoint(imagePoint: point, in: CGSize(width: width, height: height)).cgPoint
}

/// Pixels of the whole image as a point of a region of interest, origin at the lower left.
public func VNNormalizedPointForImagePointUsingRegionOfInterest(
    _ point: CGPoint, _ width: Int, _ height: Int, _ regionOfInterest: CGRect
) -> CGPoint {
    NormalizedPoint(
        imagePoint: point, in: CGSize(width: width, height: height),
        normalizedTo: NormalizedRect(normalizedRect: regionOfInterest)
    ).cgPoint
}

/// Pixels of an image as a normalised rectangle, origin at the lower left.
public func VNNormalizedRectForImageRect(_ rect: CGRect, _ width: Int, _ height: Int) -> CGRect {
    NormalizedRect(imageRect: rect, in: CGSize(width: width, height: height)).cgRect
}

/// Pixels of the whole image as a rectangle of a region of interest, origin at the lower left.
public func VNNormalizedRectForImageRectUsingRegionOfInterest(
    _ rect: CGRect, _ width: Int, _ height: Int, _ regionOfInterest: CGRect
) -> CGRect {
    NormalizedRect(
        imageRect: rect, in: CGSize(width: width, height: height),
        normalizedTo: NormalizedRect(normalizedRect: regionOfInterest)
    ).cgRect
}
