import KinemaImaging
import KinemaVision
public import Foundation
public import KinemaCore
import KinemaMedia

/// Closed polygons, for drawing: the part of Core Graphics' paths that contours need.
public struct CGPath: Hashable, Sendable {
    /// The vertices of every polygon; the last is joined to the first.
    public let polygons: [[CGPoint]]

    init(_ path: NormalizedPath) { polygons = path.polygons.map { $0.map(\.cgPoint) } }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { polygons.allSatisfy(\.isEmpty) }

    /// The smallest upright rectangle around all vertices; null if there are none.
    public var boundingBox: CGRect { isEmpty ? .null : path.boundingBox.cgRect }

    /// Whether a point is inside the contour and not in a hole.
    public func contains(_ point: CGPoint) -> Bool { path.contains(NormalizedPoint(normalizedPoint: point)) }

    private var path: NormalizedPath { NormalizedPath(polygons: polygons.map { $0.map(NormalizedPoint.init) }) }
}

/// A closed contour; coordinates are 0...1 of the region of interest, origin at the lower left.
public final class VNContour: Hashable {
    fileprivate let contour: ContoursObservation.Contour

    fileprivate init(_ contour: ContoursObservation.Contour) { self.contour = contour }

    /// Compares the places in the tree and the points.
    public static func == (one: VNContour, other: VNContour) -> Bool {
        one === other || (one.indexPath == other.indexPath && one.normalizedPoints == other.normalizedPoints)
    }

    /// Hashes the place and the points.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(indexPath)
        hasher.combine(normalizedPoints)
    }

    /// The index path from the top level.
    public var indexPath: IndexPath { contour.indexPath }
    /// The contours directly inside.
    public var childContours: [VNContour] { contour.childContours.map(VNContour.init) }
    /// The number of contours directly inside.
    public var childContourCount: Int { contour.childContours.count }
    /// The number of points.
    public var pointCount: Int { contour.pointCount }
    /// The points.
    public var normalizedPoints: [simd_float2] { contour.normalizedPoints }
    /// The contour as a polygon.
    public var normalizedPath: CGPath { CGPath(contour.normalizedPath) }
    /// The width of the analysed image by its height.
    public var aspectRatio: Float { contour.aspectRatio }

    /// A contour directly inside; throws for an index out of range.
    public func childContour(at index: Int) throws -> VNContour {
        guard contour.childContours.indices.contains(index) else {
            throw VNError(.invalidArgument, "the contour has no child \(index)")
        }
        return VNContour(contour.childContours[index])
    }

    /// A simplified contour that deviates by at most `epsilon`, 0...1; throws if it is negative.
    public func polygonApproximation(epsilon: Float) throws -> VNContour {
        do { return VNContour(try contour.polygonApproximation(epsilon: epsilon)) } catch {
            throw VNError.reporting(error)
        }
    }

    /// The same under its name of the first betas.
    public func polygonApproximation(withEpsilon epsilon: Float) throws -> VNContour {
        try polygonApproximation(epsilon: epsilon)
    }
}

/// Measures of contours.
public enum VNGeometryUtils {
    /// The smallest circle around a contour.
    public static func boundingCircle(for contour: VNContour) throws -> VNCircle {
        let circle = contour.contour.boundingCircle()
        return VNCircle(center: VNPoint(location: circle.center.cgPoint), radius: Double(circle.radius))
    }

    /// The enclosed area as a share of the region of interest; negative for holes if oriented.
    public static func calculateArea(_ area: inout Double, for contour: VNContour, orientedArea: Bool) throws {
        area = contour.contour.calculateArea(useOrientedArea: orientedArea)
    }

    /// The perimeter in widths of the region of interest.
    public static func calculatePerimeter(_ perimeter: inout Double, for contour: VNContour) throws {
        perimeter = contour.contour.calculatePerimeter()
    }
}

/// The contours in an image.
public final class VNContoursObservation: VNObservation {
    fileprivate let observation: ContoursObservation

    init(_ observation: ContoursObservation) {
        self.observation = observation
        super.init(observation)
    }

    /// The total number of contours.
    public var contourCount: Int { observation.contourCount }
    /// The contours that lie inside no other.
    public var topLevelContours: [VNContour] { observation.topLevelContours.map(VNContour.init) }
    /// The number of contours that lie inside no other.
    public var topLevelContourCount: Int { observation.topLevelContours.count }
    /// All contours as polygons.
    public var normalizedPath: CGPath { CGPath(observation.normalizedPath) }

    /// The contour at an index, row by row from the top; throws if out of range.
    public func contour(at index: Int) throws -> VNContour { try found(observation.contourAtIndex(index)) }

    /// The contour at an index path; throws if out of range.
    public func contour(at indexPath: IndexPath) throws -> VNContour {
        try found(observation.countourAtIndexPath(indexPath))
    }

    private func found(_ contour: ContoursObservation.Contour?) throws -> VNContour {
        guard let contour else { throw VNError(.invalidArgument, "the observation has no such contour") }
        return VNContour(contour)
    }
}

extension ContoursObservation {
    /// The observation in Vision's Swift API.
    public init(_ observation: VNContoursObservation) { self = observation.observation }
}

/// Detects the contours of dark or light areas in an image.
public final class VNDetectContoursRequest: VNImageBasedRequest {
    /// The contrast factor around the pivot: 0...3, 2 by default.
    public var contrastAdjustment: Float = 2
    /// The brightness that the contrast adjustment keeps, 0...1, 0.5 by default; nil chooses the threshold.
    public var contrastPivot: NSNumber? = 0.5
    /// Whether to detect dark areas on a light background.
    public var detectsDarkOnLight = true
    /// The longer side of the analysed image in pixels, at least 64, 512 by default.
    public var maximumImageDimension = 512

    /// The same as `detectsDarkOnLight`, under its name of 2020.
    public var detectDarkOnLight: Bool {
        get { detectsDarkOnLight }
        set { detectsDarkOnLight = newValue }
    }

    /// The one observation of the last performance.
    public var results: [VNContoursObservation]? { observations as? [VNContoursObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        var request = DetectContoursRequest()
        request.regionOfInterest = try region()
        request.contrastAdjustment = contrastAdjustment
        request.contrastPivot = contrastPivot?.floatValue
        request.detectsDarkOnLight = detectsDarkOnLight
        request.maximumImageDimension = maximumImageDimension
        return [VNContoursObservation(try request.contours(in: frame))]
    }
}
