public import Foundation
import KinemaCore
public import KinemaDraw
import KinemaVision

/// Finds objects that fly through the picture on parabolas.
public struct TrajectoryAnalysis: Analysis {
    /// How flights are found.
    public struct Configuration: Sendable {
        /// The least confidence of a reported flight, 0...1.
        public var confidence = 0.9
        /// The radii of the objects to track, in picture widths.
        public var radii = 0.0...1.0

        /// Finds flights of any size with a confidence of at least 0.9.
        public init() {}
    }

    /// The configuration.
    public let configuration: Configuration
    private let request: DetectTrajectoriesRequest
    private var time: TimeInterval = 0
    private var aspectRatio = 1.0
    private var known: [Flight] = []
    private var reported: Set<UUID> = []

    /// A flight not seen for this long is over, seconds.
    private static let endTimeout = 0.5
    /// How long a path stays visible after its end, seconds.
    private static let fadeDuration = 1.5

    /// Makes an analysis that has seen no frames.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        request = DetectTrajectoriesRequest(trajectoryLength: FlightTracker.minimumPoints)
        request.objectMinimumNormalizedRadius = configuration.radii.lowerBound
        request.objectMaximumNormalizedRadius = configuration.radii.upperBound
    }

    /// Frames only: flights need no people.
    public var pipeline: PosePipeline { .framesOnly }

    /// Takes the next frame and returns the flights that ended.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        (time, aspectRatio) = (frame.frame.time, frame.frame.aspectRatio)
        for flight in request.flights(in: frame.frame) {
            if let index = known.lastIndex(where: { $0.id == flight.id }) {
                known[index] = flight
            } else {
                known.append(flight)
            }
        }
        // A flight that ends below the required confidence never reaches it.
        let (now, minimum) = (time, configuration.confidence)
        known.removeAll { $0.confidence < minimum && now - $0.end > Self.endTimeout }
        return report { now - $0.end > Self.endTimeout }
    }

    /// Ends the stream and returns the flights that were not over yet.
    public mutating func finish() -> [AnalysisEvent] { report { _ in true } }

    /// The confident flights so far, in order of their start.
    package var flights: [Flight] {
        known.filter { $0.confidence >= configuration.confidence }.sorted { $0.start < $1.start }
    }

    /// The confident flights so far.
    public var result: TrajectoriesResult {
        TrajectoriesResult(trajectories: flights.map { FlightResult($0, aspectRatio: aspectRatio) })
    }

    /// The flights of the last moments, which fade after their end, and the number of all.
    public var layers: [OverlayLayer] {
        let paths = flights.enumerated().compactMap { number, flight -> TrajectoryOverlay.Path? in
            let age = time - flight.end
            guard age < Self.fadeDuration else { return nil }
            let observation = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
            return TrajectoryOverlay.Path(
                points: observation.detectedPoints.map(\.cgPoint), curve: observation.projectedPoints.map(\.cgPoint),
                radius: flight.radius, isFlying: age <= 0, strength: 1 - age / Self.fadeDuration, number: number)
        }
        return [.trajectories(TrajectoryOverlay(paths)), .hud(HUD(count: flights.count, one: "flight"))]
    }

    /// The flights in words.
    public var summary: String { PlainText.counted(flights.count, "flight") }

    private mutating func report(where isOver: (Flight) -> Bool) -> [AnalysisEvent] {
        flights.filter { isOver($0) && reported.insert($0.id).inserted }
            .map { .flight(FlightResult($0, aspectRatio: aspectRatio)) }
    }
}

/// One flight; the JSON of `kinema trajectories`.
public struct FlightResult: Codable, Sendable, Hashable {
    /// The flight's identifier, the same in all frames.
    public var id: UUID
    /// When it was first and last seen, seconds.
    public var start: Double, end: Double
    /// a, b and c of y = ax² + bx + c, normalised, origin at the lower left.
    public var coefficients: [Double]
    /// The confidence, 0...1.
    public var confidence: Double
    /// Where the object was seen, and the same points on the parabola: x and y, normalised, origin at the lower left.
    public var detectedPoints: [[Double]], projectedPoints: [[Double]]
    /// When it was seen at each point, seconds.
    public var times: [Double]
    /// The object's radius in picture widths.
    public var radius: Double

    init(_ flight: Flight, aspectRatio: Double) {
        let observation = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
        (id, start, end) = (flight.id, flight.start.rounded(to: 6), flight.end.rounded(to: 6))
        coefficients = (0..<3).map { Double(observation.equationCoefficients[$0]).rounded(to: 6) }
        confidence = flight.confidence.rounded(to: 4)
        detectedPoints = observation.detectedPoints.map(\.cgPoint.pair)
        projectedPoints = observation.projectedPoints.map(\.cgPoint.pair)
        times = observation.detectedTimes.map { $0.rounded(to: 6) }
        radius = flight.radius.rounded(to: 6)
    }
}

/// The flights in a video; the JSON of `kinema trajectories`.
public struct TrajectoriesResult: AnalysisResult, Hashable {
    /// The flights in order of their start.
    public var trajectories: [FlightResult]

    /// One row per flight.
    public static var columns: [String] {
        ["trajectory", "id", "start", "end", "a", "b", "c", "confidence", "radius", "points"]
    }

    /// The flights.
    public var rows: [[String]] {
        trajectories.enumerated().map { index, flight in
            ["\(index + 1)", flight.id.uuidString, "\(flight.start.rounded(to: 4))", "\(flight.end.rounded(to: 4))"]
                + flight.coefficients.map { "\($0)" }
                + ["\(flight.confidence)", "\(flight.radius)", "\(flight.times.count)"]
        }
    }

    /// The number of flights, then each of them.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(trajectories.count, "flight")) in \(run.extent)"]
            + trajectories.enumerated().map { index, flight in
                let (a, b, c) = (flight.coefficients[0], flight.coefficients[1], flight.coefficients[2])
                return "  \(index + 1).  \(flight.start.text(2)) to \(flight.end.text(2)) s, "
                    + PlainText.counted(flight.times.count, "point")
                    + ", y = \(a.text(3)) x² + \(b.text(3)) x + \(c.text(3)), "
                    + "confidence \(flight.confidence.text(2))"
            }
    }
}
