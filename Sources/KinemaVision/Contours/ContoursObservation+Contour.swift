public import Foundation
public import KinemaCore

extension ContoursObservation {
    /// One closed outline.
    ///
    /// Seen by the eye, outlines of foreground turn counterclockwise and those of holes clockwise. They run between the
    /// pixels, so an outline has the area of the pixels it surrounds.
    public struct Contour: Hashable, Sendable {
        /// The corners: 0...1 of the region of interest, origin at the lower left.
        public let normalizedPoints: [SIMD2<Float>]

        let tree: ContourTree
        let index: Int

        init(_ tree: ContourTree, _ index: Int) {
            self.tree = tree
            self.index = index
            normalizedPoints = Array(tree.points[tree.borders[index].points])
        }

        private init(_ contour: Contour, points: [SIMD2<Float>]) {
            tree = contour.tree
            index = contour.index
            normalizedPoints = points
        }

        /// The width of the searched picture by its height, in pixels.
        public var aspectRatio: Float { Float(tree.size.width) / Float(tree.size.height) }

        /// The outlines directly inside.
        public var childContours: [Contour] { tree.children[index].map { Contour(tree, $0) } }

        /// The place at each depth, outermost first.
        public var indexPath: IndexPath { IndexPath(indexes: tree.path(to: index)) }

        /// How many corners there are.
        public var pointCount: Int { normalizedPoints.count }

        /// The corners as points.
        public var points: [NormalizedPoint] {
            normalizedPoints.map { NormalizedPoint(x: CGFloat($0.x), y: CGFloat($0.y)) }
        }

        /// The outline as a polygon, for drawing.
        public var normalizedPath: NormalizedPath { NormalizedPath(polygons: [points]) }

        /// The smallest upright rectangle around the outline.
        public var boundingBox: NormalizedRect {
            NormalizedRect(around: normalizedPoints.lazy.map { SIMD2<Double>($0) })
        }

        /// A simpler outline from which no corner of this one is further than `epsilon` (Ramer-Douglas-Peucker).
        ///
        /// `epsilon` counts in normalised coordinates, 0...1. Throws `.invalidArgument` when it is negative or no
        /// number.
        public func polygonApproximation(epsilon: Float) throws -> Contour {
            guard epsilon >= 0, epsilon.isFinite else {
                throw KinemaError(.invalidArgument, "epsilon is \(epsilon); pass 0 or more, such as 0.01")
            }
            let kept = PolygonSimplification.kept(normalizedPoints.map { SIMD2<Double>($0) }, epsilon: Double(epsilon))
            return Contour(self, points: kept.map { normalizedPoints[$0] })
        }

        /// Two outlines are equal when they are the same outline of the same observation with the same corners.
        public static func == (one: Self, other: Self) -> Bool {
            one.tree === other.tree && one.index == other.index && one.normalizedPoints == other.normalizedPoints
        }

        /// Hashes the outline's place and its corners.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(tree))
            hasher.combine(index)
            hasher.combine(normalizedPoints)
        }
    }
}
