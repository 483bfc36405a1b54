public import Foundation

/// Four corners in a picture, with the names of Vision.
public struct RectangleObservation: Hashable, Sendable {
    /// A number of this observation's own.
    public let uuid: UUID
    /// How sure the corners are, 0...1.
    public let confidence: Float
    /// The corner that is uppermost and leftmost when the rectangle stands as upright as it can.
    public let topLeft: NormalizedPoint
    /// The corner at the other end of the upper side.
    public let topRight: NormalizedPoint
    /// The corner below `topRight`.
    public let bottomRight: NormalizedPoint
    /// The corner below `topLeft`.
    public let bottomLeft: NormalizedPoint

    /// Makes an observation from its corners: 0...1, origin at the lower left.
    public init(
        topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
        bottomLeft: NormalizedPoint, confidence: Float = 1
    ) {
        uuid = UUID()
        self.confidence = confidence
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The smallest upright rectangle around the corners.
    public var boundingBox: NormalizedRect {
        NormalizedRect(
            around: [topLeft, topRight, bottomRight, bottomLeft].map { SIMD2(Double($0.x), Double($0.y)) })
    }

    /// Two observations are equal when they are the same observation.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the observation's own number.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}
