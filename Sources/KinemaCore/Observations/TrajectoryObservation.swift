public import Foundation

/// Something small on its flight through the picture.
///
/// A bounce, or leaving the picture, ends it; what follows is another one.
public struct TrajectoryObservation: Hashable, Sendable, Identifiable {
    /// The same for one flight in all frames.
    public let uuid: UUID
    /// How sure it is that something flies freely here, 0...1; what does is above 0.9 once it was seen long enough.
    public let confidence: Float
    /// From when to when it was seen, seconds from the stream's first frame.
    public let timeRange: Range<TimeInterval>?
    /// The thing's middle in the newest frames, oldest first, at most as many as the request's length: each normalised
    /// in its own frame, origin at the lower left.
    public let detectedPoints: [NormalizedPoint]
    /// When each of `detectedPoints` was seen, seconds from the stream's first frame.
    public let detectedTimes: [TimeInterval]
    /// The places on the parabola nearest to `detectedPoints`.
    public let projectedPoints: [NormalizedPoint]
    /// a, b and c of y = ax² + bx + c through all points of the flight, normalised.
    public let equationCoefficients: SIMD3<Float>
    /// The thing's mean radius in picture widths.
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

/// Something small that moves, as it shows in one frame.
///
/// Lengths are in picture widths along both axes, so circles stay circles; the origin is at the lower left, y up.
package struct MovingObject: Sendable, Hashable {
    /// Its middle in the picture.
    package var position: SIMD2<Double>
    /// Its middle where it would be had the camera not moved since the stream's first frame.
    package var steadyPosition: SIMD2<Double>
    /// The radius of its narrow side, which motion blur does not lengthen.
    package var radius: Double
    /// The standard deviation of its middle.
    package var deviation: Double
    /// The share of its surroundings in which nothing has moved in the last half second, 0...1.
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
