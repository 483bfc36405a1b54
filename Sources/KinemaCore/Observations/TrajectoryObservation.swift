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
