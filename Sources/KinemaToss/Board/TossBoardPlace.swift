public import Foundation

/// Where the board lies in the picture.
public struct TossBoardPlace: Sendable, Hashable {
    /// The corners of its face in order round it: normalised, origin at the lower left.
    public var corners: [CGPoint]
    /// The middle of the hole, likewise; nil when it was not seen.
    public var hole: CGPoint?
    /// How sure it is, 0...1.
    public var confidence: Float

    /// Makes a place from four corners in order and the hole's middle (normalised, origin at the lower left).
    public init(corners: [CGPoint], hole: CGPoint?, confidence: Float = 1) {
        self.corners = corners
        self.hole = hole
        self.confidence = confidence
    }

    /// A board of which only the box is known: x, y, width and height normalised, origin at the lower left.
    public init(box: CGRect) {
        self.init(
            corners: [
                CGPoint(x: box.minX, y: box.minY), CGPoint(x: box.maxX, y: box.minY),
                CGPoint(x: box.maxX, y: box.maxY), CGPoint(x: box.minX, y: box.maxY),
            ], hole: nil)
    }

    /// The box around the corners, normalised, origin at the lower left.
    public var box: CGRect {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max() else { return .zero }
        return CGRect(x: left, y: low, width: right - left, height: high - low)
    }

    /// The length of the longest edge, in picture heights, the closing one included; `aspectRatio` is width over height.
    public func edgeLength(aspectRatio: Double) -> Double {
        corners.indices.map { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return hypot((b.x - a.x) * aspectRatio, b.y - a.y)
        }.max() ?? 0
    }

    /// How many metres a picture height is at the board, by its length alone, as the sample has it.
    public func metersPerHeight(aspectRatio: Double, boardLength: Double = 1.22) -> Double? {
        let edge = edgeLength(aspectRatio: aspectRatio)
        return edge > 0 ? boardLength / edge : nil
    }
}
