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
