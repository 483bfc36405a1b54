public import Foundation
public import KinemaCore

/// The outlines in one picture, with the names of Vision.
///
/// An outline of foreground has the outlines of its holes as children, those have the outlines of what lies inside the
/// holes, and so on. Coordinates are those of the request's region of interest: 0...1 of the region, origin at the lower
/// left; `inFullImage(from:)` of a point or rectangle takes them to the whole picture.
public struct ContoursObservation: Hashable, Sendable {
    /// A number of this observation's own.
    public let uuid: UUID
    /// How sure the outlines are: always 1, since they are computed, not guessed.
    public let confidence: Float
    /// When the picture belongs to a stream: the stretch it covers, seconds from the stream's first frame.
    public let timeRange: Range<TimeInterval>?

    let tree: ContourTree

    init(_ tree: ContourTree, timeRange: Range<TimeInterval>? = nil) {
        uuid = UUID()
        confidence = 1
        self.timeRange = timeRange
        self.tree = tree
    }

    /// How many outlines there are, at all depths.
    public var contourCount: Int { tree.borders.count }

    /// The outlines that nothing surrounds.
    public var topLevelContours: [Contour] { tree.roots.map { Contour(tree, $0) } }

    /// All outlines as polygons, for drawing.
    public var normalizedPath: NormalizedPath {
        NormalizedPath(polygons: tree.borders.indices.map { Contour(tree, $0).points })
    }

    /// An outline by its number, row by row from the top; nil when there is none of that number.
    public func contourAtIndex(_ index: Int) -> Contour? {
        tree.borders.indices.contains(index) ? Contour(tree, index) : nil
    }

    /// An outline by its place at each depth, outermost first; nil when there is none. The name is Vision's own.
    public func countourAtIndexPath(_ indexPath: IndexPath) -> Contour? {
        tree.border(at: indexPath).map { Contour(tree, $0) }
    }

    /// Two observations are equal when they are the same observation.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the observation's own number.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

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

extension ContoursObservation.Contour {
    /// The area inside as a share of the region of interest; children are not taken off.
    ///
    /// With `useOrientedArea` the area of outlines that turn clockwise, which are those of holes, is negative.
    public func calculateArea(useOrientedArea: Bool) -> Double {
        let area = Polygon.orientedArea(normalizedPoints.lazy.map { SIMD2<Double>($0) })
        return useOrientedArea ? area : abs(area)
    }

    /// The length all around, in widths of the region of interest; the picture's aspect ratio is taken into account.
    public func calculatePerimeter() -> Double {
        Polygon.perimeter(isotropicPoints)
    }

    /// The smallest circle around the outline; the picture's aspect ratio is taken into account.
    public func boundingCircle() -> NormalizedCircle {
        let circle = EnclosingCircle(around: isotropicPoints)
        return NormalizedCircle(center: normalized(circle.center), radius: circle.radius)
    }

    /// The turned rectangle of least area around the outline; the picture's aspect ratio is taken into account.
    public var boundingQuad: RectangleObservation {
        let corners = EnclosingRectangle(around: isotropicPoints).corners
        // The corners go counterclockwise; the one furthest to the upper left is the first.
        let first = corners.indices.max { corners[$0].y - corners[$0].x < corners[$1].y - corners[$1].x } ?? 0
        let turned = (0..<4).map { normalized(corners[(first + $0) % 4]) }
        return RectangleObservation(
            topLeft: turned[0], topRight: turned[3], bottomRight: turned[2], bottomLeft: turned[1])
    }

    /// The corners with the same unit in both directions: widths of the picture, origin at the lower left.
    private var isotropicPoints: [SIMD2<Double>] {
        let scale = SIMD2(1, 1 / Double(aspectRatio))
        return normalizedPoints.map { SIMD2<Double>($0) * scale }
    }

    private func normalized(_ point: SIMD2<Double>) -> NormalizedPoint {
        NormalizedPoint(x: point.x, y: point.y * Double(aspectRatio))
    }
}

/// All borders of one picture with their nesting, shared by the contours that come of it.
final class ContourTree: Sendable {
    /// Columns and rows of the picture that was searched.
    let size: (width: Int, height: Int)
    let borders: [Borders.Border]
    /// The polygons' corners: 0...1, origin at the lower left.
    let points: [SIMD2<Float>]
    /// The borders nothing surrounds.
    let roots: [Int]
    /// The borders directly inside each one.
    let children: [[Int]]
    /// Each border's place among its siblings.
    let ranks: [Int]

    init(_ found: Borders, width: Int, height: Int) {
        size = (width, height)
        borders = found.borders
        let scale = SIMD2(1 / Float(width), -1 / Float(height))
        points = found.points.map { $0 * scale + SIMD2(0, 1) }
        var roots: [Int] = []
        var children = [[Int]](repeating: [], count: borders.count)
        var ranks = [Int](repeating: 0, count: borders.count)
        for (index, border) in borders.enumerated() {
            if let parent = border.parent {
                ranks[index] = children[parent].count
                children[parent].append(index)
            } else {
                ranks[index] = roots.count
                roots.append(index)
            }
        }
        self.roots = roots
        self.children = children
        self.ranks = ranks
    }

    /// The ranks from the outermost border down to this one.
    func path(to index: Int) -> [Int] {
        var path = [ranks[index]]
        var place = index
        while let parent = borders[place].parent {
            path.append(ranks[parent])
            place = parent
        }
        return path.reversed()
    }

    /// The border at the end of a path of ranks.
    func border(at path: some Sequence<Int>) -> Int? {
        var siblings = roots
        var found: Int?
        for rank in path {
            guard siblings.indices.contains(rank) else { return nil }
            found = siblings[rank]
            siblings = children[siblings[rank]]
        }
        return found
    }
}
