public import Foundation

/// A pinch, from the frame in which the fingertips touched to the one in which they had parted.
package struct Pinch: Sendable, Hashable, Codable {
    /// The number of the hand.
    package var id: Int
    /// The side of the hand, from the person's own view; nil if unknown.
    package var hand: HumanHandPoseObservation.Chirality?
    /// The times at which the fingertips touched, and parted or were lost, in seconds from the first frame.
    package var start, end: TimeInterval
    /// Which of the two is only where it was first or last seen, and why, in words; nil if both were seen.
    package var unseen: String?

    package init(id: Int, hand: HumanHandPoseObservation.Chirality?, start: TimeInterval, end: TimeInterval) {
        (self.id, self.hand, self.start, self.end) = (id, hand, start, end)
    }
}

/// A line drawn in the air with one pinch.
public struct Stroke: Sendable, Hashable {
    /// A piece of the smooth path from the end of the one before: a quadratic curve, or a line without a control point.
    package typealias Segment = (end: CGPoint, control: CGPoint?)

    /// The drawing hand's number.
    public var id: Int
    /// The side of the hand, from the person's own view; nil if unknown.
    public var hand: HumanHandPoseObservation.Chirality?
    /// The midpoints between the fingertips, normalised, origin at the lower left.
    public private(set) var points: [CGPoint] = []
    /// The time of each point, in seconds from the first frame.
    public private(set) var times: [TimeInterval] = []

    package init(id: Int, hand: HumanHandPoseObservation.Chirality?) { (self.id, self.hand) = (id, hand) }

    /// Adds a point (normalised) at a time in seconds.
    package mutating func append(_ point: CGPoint, at time: TimeInterval) {
        points.append(point)
        times.append(time)
    }

    /// The smooth path, as in the HandPose sample: curves from midpoint to midpoint with the points as control points. It
    /// starts at the end of its first piece.
    package var path: [Segment] {
        guard let first = points.first, let last = points.last else { return [] }
        var path: [Segment] = [(first, nil)]
        for (previous, point) in zip(points, points.dropFirst()) {
            let middle = CGPoint(x: (previous.x + point.x) / 2, y: (previous.y + point.y) / 2)
            path.append((middle, path.count == 1 ? nil : previous))
        }
        path.append((last, nil))
        return path
    }
}
