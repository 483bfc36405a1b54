public import Foundation
public import KinemaCore
import KinemaMedia

/// The contours in an image, with Vision's names.
///
/// The children of a contour lie directly inside it. Coordinates are 0...1 of the request's region of interest, origin
/// at the lower left; `inFullImage(from:)` converts them to the whole image.
public struct ContoursObservation: VisionObservation {
    /// The unique identifier of the observation.
    public let uuid: UUID
    /// The confidence; always 1, since contours are computed exactly.
    public let confidence: Float
    /// The time that a frame of a stream covers, from the stream's first frame; nil for a single image.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public let originatingRequestDescriptor: RequestDescriptor?

    let tree: ContourTree

    package init(_ raster: BinaryRaster, timeRange: CMTimeRange? = nil, from request: RequestDescriptor? = nil) {
        let tree = ContourTree(BorderFollower.borders(of: raster), width: raster.width, height: raster.height)
        self.init(tree, timeRange: timeRange, from: request)
    }

    init(_ tree: ContourTree, timeRange: CMTimeRange? = nil, from request: RequestDescriptor? = nil) {
        uuid = UUID()
        confidence = 1
        (self.timeRange, self.tree, originatingRequestDescriptor) = (timeRange, tree, request)
    }

    /// The total number of contours.
    public var contourCount: Int { tree.borders.count }

    /// The contours that lie inside no other.
    public var topLevelContours: [Contour] { tree.roots.map { Contour(tree, $0) } }

    /// All contours as polygons, for drawing.
    public var normalizedPath: NormalizedPath {
        NormalizedPath(polygons: tree.borders.indices.map { Contour(tree, $0).points })
    }

    /// The contour at an index, ordered row by row from the top; nil if out of range.
    public func contourAtIndex(_ index: Int) -> Contour? {
        tree.borders.indices.contains(index) ? Contour(tree, index) : nil
    }

    /// The contour at an index path; nil if out of range. The spelling is Vision's.
    public func countourAtIndexPath(_ indexPath: IndexPath) -> Contour? {
        tree.border(at: indexPath).map { Contour(tree, $0) }
    }
}

extension ContoursObservation {
    /// A closed contour: shapes run counterclockwise, holes clockwise, around exactly the area of their pixels.
    public struct Contour: Hashable, Sendable {
        /// The contour's points, 0...1 of the region of interest, origin at the lower left.
        public let normalizedPoints: [SIMD2<Float>]

        let tree: ContourTree
        let index: Int

        init(_ tree: ContourTree, _ index: Int) {
            (self.tree, self.index) = (tree, index)
            normalizedPoints = Array(tree.points[tree.borders[index].points])
        }

        private init(_ contour: Contour, points: [SIMD2<Float>]) {
            tree = contour.tree
            index = contour.index
            normalizedPoints = points
        }

        /// The width of the analysed image divided by its height.
        public var aspectRatio: Float { Float(tree.width) / Float(tree.height) }

        /// The contours directly inside.
        public var childContours: [Contour] { tree.children[index].map { Contour(tree, $0) } }

        /// The index path from the top level.
        public var indexPath: IndexPath { IndexPath(indexes: tree.path(to: index)) }

        /// The number of points.
        public var pointCount: Int { normalizedPoints.count }

        /// The contour's points.
        public var points: [NormalizedPoint] {
            normalizedPoints.map { NormalizedPoint(x: CGFloat($0.x), y: CGFloat($0.y)) }
        }

        /// The contour as a polygon, for drawing.
        public var normalizedPath: NormalizedPath { NormalizedPath(polygons: [points]) }

        /// The smallest upright rectangle around the contour.
        public var boundingBox: NormalizedRect { NormalizedRect(around: points.lazy.map(\.cgPoint)) }

        /// A simplified contour that deviates by at most `epsilon`, 0...1 (Ramer-Douglas-Peucker).
        ///
        /// Throws `.invalidArgument` when `epsilon` is negative or not finite.
        public func polygonApproximation(epsilon: Float) throws -> Contour {
            guard epsilon >= 0, epsilon.isFinite else {
                throw KinemaError(.invalidArgument, "epsilon is \(epsilon); pass 0 or more, such as 0.01")
            }
            let indices = PolygonSimplification.indices(
                of: normalizedPoints.map { SIMD2<Double>($0) }, epsilon: Double(epsilon))
            return Contour(self, points: indices.map { normalizedPoints[$0] })
        }
    }
}

extension ContoursObservation.Contour {
    /// The enclosed area as a share of the region of interest, with children; negative for holes if `useOrientedArea`.
    public func calculateArea(useOrientedArea: Bool) -> Double {
        let area = Polygon.orientedArea(normalizedPoints.lazy.map { SIMD2<Double>($0) })
        return useOrientedArea ? area : abs(area)
    }

    /// The perimeter in widths of the region of interest, corrected for the aspect ratio.
    public func calculatePerimeter() -> Double { Polygon.perimeter(isotropicPoints) }

    /// The smallest circle around the contour, corrected for the aspect ratio.
    public func boundingCircle() -> NormalizedCircle {
        let circle = EnclosingCircle(around: isotropicPoints)
        return NormalizedCircle(center: normalized(circle.center), radius: circle.radius)
    }

    /// The rotated rectangle of minimum area around the contour, corrected for the aspect ratio.
    public var boundingQuad: RectangleObservation {
        let corners = EnclosingRectangle(around: isotropicPoints).corners
        // The corners run counterclockwise; the first is the one nearest to the upper left.
        let first = corners.indices.max { corners[$0].y - corners[$0].x < corners[$1].y - corners[$1].x } ?? 0
        let ordered = (0..<4).map { normalized(corners[(first + $0) % 4]) }
        return RectangleObservation(
            topLeft: ordered[0], topRight: ordered[3], bottomRight: ordered[2], bottomLeft: ordered[1])
    }

    /// The points in picture widths, the same unit in both directions, origin at the lower left.
    private var isotropicPoints: [SIMD2<Double>] {
        let scale = SIMD2(1, 1 / Double(aspectRatio))
        return normalizedPoints.map { SIMD2<Double>($0) * scale }
    }

    private func normalized(_ point: SIMD2<Double>) -> NormalizedPoint {
        NormalizedPoint(x: point.x, y: point.y * Double(aspectRatio))
    }
}
