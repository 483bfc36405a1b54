public import Foundation
import KinemaCore

/// The board as detected in the picture: normalised, origin at the lower left.
public struct TossBoardObservation: Sendable, Hashable {
    /// The four corners of its face in order around it.
    public var corners: [CGPoint]
    /// The centre of the hole; nil if it was not seen.
    public var hole: CGPoint?
    /// The confidence, 0...1.
    public var confidence: Float

    package init(corners: [CGPoint], hole: CGPoint?, confidence: Float = 1) {
        (self.corners, self.hole, self.confidence) = (corners, hole, confidence)
    }

    init(box: CGRect) { self.init(corners: box.corners, hole: nil) }

    package var box: CGRect { CGRect(around: corners) ?? .zero }

    var area: Double { abs(Polyline.area(corners)) }

    /// The length of the longest edge in picture heights; `aspectRatio` is width divided by height.
    package func edgeLength(aspectRatio: Double) -> Double {
        corners.indices.map { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return hypot((b.x - a.x) * aspectRatio, b.y - a.y)
        }.max() ?? 0
    }
}
