public import Foundation
import KinemaCore

/// A confidence, 0...1.
public typealias VNConfidence = Float

/// A circle; the radius is in image widths.
public final class VNCircle: Hashable {
    /// The centre, 0...1, origin at the lower left.
    public let center: VNPoint
    /// The radius in image widths.
    public let radius: Double

    /// Makes a circle from its centre and radius.
    public init(center: VNPoint, radius: Double) { (self.center, self.radius) = (center, radius) }

    /// Compares centre and radius.
    public static func == (one: VNCircle, other: VNCircle) -> Bool {
        one.center == other.center && one.radius == other.radius
    }

    /// Hashes centre and radius.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(center)
        hasher.combine(radius)
    }

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
