public import Foundation

/// A small object flying through the image, until it bounces or leaves the image.
public struct TrajectoryObservation: VisionObservation, Identifiable {
    /// The flight's identifier, the same in all frames.
    public let uuid: UUID
    /// The probability of a free flight, 0...1; above 0.9 for a true flight that was observed long enough.
    public let confidence: Float
    /// The times of the first and last sighting, from the stream's first frame.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public package(set) var originatingRequestDescriptor: RequestDescriptor?
    /// The object's centre in the newest frames, oldest first, normalised in its own frame, origin at the lower left.
    public let detectedPoints: [NormalizedPoint]
    /// The times of `detectedPoints`, in seconds from the stream's first frame.
    public let detectedTimes: [TimeInterval]
    /// The points on the parabola nearest to the newest `detectedPoints`: of a request, the last five.
    public let projectedPoints: [NormalizedPoint]
    /// a, b and c of y = ax² + bx + c through all points of the flight, normalised.
    public let equationCoefficients: SIMD3<Float>
    /// The object's mean radius in image widths.
    public let movingAverageRadius: CGFloat

    /// The same as `uuid`.
    public var id: UUID { uuid }

    /// Whether both show the same flight at the same time.
    public static func == (one: Self, other: Self) -> Bool {
        (one.uuid, one.timeRange, one.detectedPoints) == (other.uuid, other.timeRange, other.detectedPoints)
    }

    package init(
        uuid: UUID = UUID(), confidence: Float, timeRange: CMTimeRange?, detectedPoints: [NormalizedPoint],
        detectedTimes: [TimeInterval], projectedPoints: [NormalizedPoint], equationCoefficients: SIMD3<Float>,
        movingAverageRadius: CGFloat
    ) {
        (self.uuid, self.confidence, self.timeRange) = (uuid, confidence, timeRange)
        (self.detectedPoints, self.detectedTimes) = (detectedPoints, detectedTimes)
        (self.projectedPoints, self.equationCoefficients) = (projectedPoints, equationCoefficients)
        self.movingAverageRadius = movingAverageRadius
    }

    /// The same flight in coordinates of a region of interest (0...1 of the region); the radius stays.
    package func relative(to region: NormalizedRect) -> TrajectoryObservation {
        let (x, y) = (Float(region.origin.x), Float(region.origin.y))
        let (width, height) = (Float(region.width), Float(region.height))
        let (a, b, c) = (equationCoefficients.x, equationCoefficients.y, equationCoefficients.z)
        return TrajectoryObservation(
            uuid: uuid, confidence: confidence, timeRange: timeRange,
            detectedPoints: detectedPoints.map { $0.relative(to: region) }, detectedTimes: detectedTimes,
            projectedPoints: projectedPoints.map { $0.relative(to: region) },
            equationCoefficients: SIMD3(
                a * width * width / height, (2 * a * x + b) * width / height, (a * x * x + b * x + c - y) / height),
            movingAverageRadius: movingAverageRadius)
    }
}

/// A small moving object in one frame, in picture widths along both axes, origin at the lower left, y up.
package struct MovingObject: Sendable, Hashable {
    package var position: SIMD2<Double>
    /// Its centre as if the camera had not moved since the stream's first frame.
    package var steadyPosition: SIMD2<Double>
    /// The radius of its narrow side, which motion blur does not lengthen.
    package var radius: Double
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
        (self.radius, self.deviation, self.isolation) = (radius, deviation, isolation)
    }
}
