public import Foundation
import KinemaCore
import KinemaVision

/// One flight; the JSON of `kinema trajectories`.
public struct FlightResult: Codable, Sendable, Hashable {
    /// The flight's identifier, the same in all frames.
    public var id: UUID
    /// The times of the first and last detection, seconds.
    public var start: Double, end: Double
    /// a, b and c of y = ax² + bx + c, normalised, origin at the lower left.
    public var coefficients: [Double]
    /// The confidence, 0...1.
    public var confidence: Double
    /// The detected points, and the same points on the parabola: x and y, normalised, origin at the lower left.
    public var detectedPoints: [[Double]], projectedPoints: [[Double]]
    /// The time of each point, seconds.
    public var times: [Double]
    /// The object's radius in frame widths.
    public var radius: Double
    /// Which end of the flight is out of view, in words; absent if both were seen.
    public var unseen: String?

    /// Nearer to the picture's edge than this share of its sides, an object may fly on beyond it.
    private static let inView = 0.03...0.97

    init(_ flight: Flight, aspectRatio: Double) {
        let observation = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
        (id, start, end) = (flight.id, flight.start.rounded(to: 6), flight.end.rounded(to: 6))
        coefficients = (0..<3).map { Double(observation.equationCoefficients[$0]).rounded(to: 6) }
        confidence = flight.confidence.rounded(to: 4)
        detectedPoints = observation.detectedPoints.map(\.cgPoint.pair)
        projectedPoints = observation.projectedPoints.map(\.cgPoint.pair)
        times = observation.detectedTimes.map { $0.rounded(to: 6) }
        radius = flight.radius.rounded(to: 6)
        let ends = [("start", detectedPoints.first), ("end", detectedPoints.last)].compactMap { name, point in
            point.flatMap { $0.allSatisfy(Self.inView.contains) ? nil : "the \(name) is out of view" }
        }
        unseen = ends.isEmpty ? nil : ends.joined(separator: "; ")
    }
}
