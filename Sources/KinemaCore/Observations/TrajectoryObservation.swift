public import Foundation

/// A small object flying through the picture.
///
/// A bounce, or leaving the picture, ends the flight; after that a new one begins.
public struct TrajectoryObservation: Hashable, Sendable, Identifiable {
    /// The flight's identifier, the same in all frames.
    public let uuid: UUID
    /// The probability that something flies freely here, 0...1; above 0.9 for a true flight that was seen long enough.
    public let confidence: Float
    /// When it was first and last seen, in seconds from the stream's first frame.
    public let timeRange: Range<TimeInterval>?
    /// The object's centre in the newest frames, oldest first, at most as many as the request's length. Each point is
    /// normalised in its own frame, origin at the lower left.
    public let detectedPoints: [NormalizedPoint]
    /// When each of `detectedPoints` was seen, in seconds from the stream's first frame.
    public let detectedTimes: [TimeInterval]
    /// The points on the parabola nearest to `detectedPoints`.
    public let projectedPoints: [NormalizedPoint]
    /// a, b and c of y = ax² + bx + c through all points of the flight, normalised.
    public let equationCoefficients: SIMD3<Float>
    /// The object's mean radius in picture widths.
    public let movingAverageRadius: CGFloat

    /// The same as `uuid`.
    public var id: UUID { uuid }

    /// Makes an observation; times in seconds, points normalised, the radius in picture widths.
    public init(
        uuid: UUID = UUID(), confidence: Float, timeRange: Range<TimeInterval>?, detectedPoints: [NormalizedPoint],
        detectedTimes: [TimeInterval], projectedPoints: [NormalizedPoint], equationCoefficients: SIMD3<Float>,
        movingAverageRadius: CGFloat
    ) {
        self.uuid = uuid
        self.confidence = confidence
        self.timeRange = timeRange
        self.detectedPoints = detectedPoints
        self.detectedTimes = detectedTimes
        self.projectedPoints = projectedPoints
        self.equationCoefficients = equationCoefficients
        self.movingAverageRadius = movingAverageRadius
    }
}

/// A small moving object in one frame.
///
/// Lengths are in picture widths along both axes, so circles stay circles; the origin is at the lower left, y up.
package struct MovingObject: Sendable, Hashable {
    /// Its centre in the picture.
    package var position: SIMD2<Double>
    /// Its centre as if the camera had not moved since the stream's first frame.
    package var steadyPosition: SIMD2<Double>
    /// The radius of its narrow side, which motion blur does not lengthen.
    package var radius: Double
    /// The standard deviation of its centre.
    package var deviation: Double
    /// The share of its surroundings without motion in the last half second, 0...1.
    package var isolation: Double

    /// Makes an object; `steadyPosition` is `position` unless the camera moves.
    package init(
        position: SIMD2<Double>, steadyPosition: SIMD2<Double>? = nil, radius: Double, deviation: Double,
        isolation: Double = 1
    ) {
        self.position = position
        self.steadyPosition = steadyPosition ?? position
        self.radius = radius
        self.deviation = deviation
        self.isolation = isolation
    }
}

/// Four corners in a picture, with Vision's names.
public struct RectangleObservation: Hashable, Sendable {
    /// A unique identifier of this observation.
    public let uuid: UUID
    /// The confidence in the corners, 0...1.
    public let confidence: Float
    /// The corner at the top left when the rectangle is turned as upright as possible.
    public let topLeft: NormalizedPoint
    /// The other corner of the upper side.
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

    /// Two observations are equal if they have the same identifier.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}
