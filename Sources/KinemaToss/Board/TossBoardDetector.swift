public import Foundation
public import KinemaMedia

/// Locates the board roughly, as the sample's trained object detector does. Conform to it to plug in your own.
public protocol TossBoardDetector: Sendable {
    /// The box around the board (normalised, origin at the lower left) and its confidence (0...1); nil without a board.
    func box(in frame: VideoFrame) throws -> (box: CGRect, confidence: Float)?
}

/// A detector that returns a box known in advance.
public struct KnownBoardBox: TossBoardDetector {
    /// Normalised, origin at the lower left.
    public let box: CGRect

    /// Makes a detector that always returns the given box (normalised, origin at the lower left).
    public init(_ box: CGRect) {
        self.box = box
    }

    /// The box, with full confidence.
    public func box(in frame: VideoFrame) -> (box: CGRect, confidence: Float)? { (box, 1) }
}

/// The board as detected in the picture.
public struct TossBoardObservation: Sendable, Hashable {
    /// The corners of its face in order around it: normalised, origin at the lower left.
    public var corners: [CGPoint]
    /// The centre of the hole, likewise; nil if it was not seen.
    public var hole: CGPoint?
    /// The confidence, 0...1.
    public var confidence: Float

    /// Makes an observation from four corners in order and the centre of the hole (normalised, origin at the lower
    /// left).
    public init(corners: [CGPoint], hole: CGPoint?, confidence: Float = 1) {
        self.corners = corners
        self.hole = hole
        self.confidence = confidence
    }

    /// Makes an observation from a box alone: normalised, origin at the lower left.
    public init(box: CGRect) {
        self.init(
            corners: [
                CGPoint(x: box.minX, y: box.minY), CGPoint(x: box.maxX, y: box.minY),
                CGPoint(x: box.maxX, y: box.maxY), CGPoint(x: box.minX, y: box.maxY),
            ], hole: nil)
    }

    /// The bounding box of the corners: normalised, origin at the lower left.
    public var box: CGRect {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max() else { return .zero }
        return CGRect(x: left, y: low, width: right - left, height: high - low)
    }

    /// The share of the picture that its face covers, 0...1.
    public var area: Double { abs(Polyline.area(corners)) }

    /// The length of the longest edge in picture heights; `aspectRatio` is width divided by height.
    public func edgeLength(aspectRatio: Double) -> Double {
        corners.indices.map { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return hypot((b.x - a.x) * aspectRatio, b.y - a.y)
        }.max() ?? 0
    }
}
