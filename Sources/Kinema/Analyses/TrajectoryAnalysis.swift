import KinemaImaging
import KinemaVision
public import Foundation
import KinemaCore
public import KinemaDraw

/// Detects objects that fly on parabolas.
///
/// ```swift
/// var analysis = TrajectoryAnalysis()
/// for try await element in analysis.pipeline(try await VideoReader.read(contentsOf: url)) {
///     for case .flight(let one) in analysis.take(element.feature) { print(one.start, one.end, one.coefficients) }
/// }
/// _ = analysis.finish()
/// print(analysis.result.trajectories.count)
/// ```
public struct TrajectoryAnalysis: Analysis {
    /// The configuration of the analysis.
    public struct Configuration: Sendable {
        /// The minimum confidence of a reported flight, 0...1.
        public var confidence = 0.9
        /// The radii of the objects to track, in frame widths.
        public var radii = 0.0...1.0
        /// Whether to keep rejected candidates, for `explanations` and as thin grey paths.
        package var explains = false

        /// Detects flights of objects of any size with a confidence of at least 0.9.
        public init() {}
    }

    /// The configuration.
    package let configuration: Configuration
    private let request: DetectTrajectoriesRequest
    private var time: TimeInterval = 0
    private var aspectRatio = 1.0
    private var known: [Flight] = []
    private var reported: Set<UUID> = []
    private var refused: [Flight] = []

    /// A flight not seen for this long is over, seconds.
    private static let endTimeout = 0.5
    /// The minimum number of refused candidates kept for explanations, about ten minutes of a busy scene.
    private static let maximumRefused = 20_000
    /// How long a path stays visible after its end, seconds.
    private static let fadeDuration = 1.5

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        request = DetectTrajectoriesRequest(trajectoryLength: FlightTracker.minimumPoints)
        request.objectMinimumNormalizedRadius = Float(configuration.radii.lowerBound)
        request.objectMaximumNormalizedRadius = Float(configuration.radii.upperBound)
    }

    /// Frames only: flights need no people.
    public var pipeline: PosePipeline { .framesOnly }

    /// Processes the next frame and returns the flights that ended.
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
        func isRefused(_ flight: Flight) -> Bool { flight.confidence < minimum && now - flight.end > Self.endTimeout }
        if configuration.explains {
            refused += known.filter(isRefused)
            // Trimmed in bulk, so that not every frame moves the rest.
            if refused.count > 2 * Self.maximumRefused { refused.removeFirst(refused.count - Self.maximumRefused) }
        }
        known.removeAll(where: isRefused)
        return report { now - $0.end > Self.endTimeout }
    }

    /// Ends the stream and returns the flights still in progress.
    public mutating func finish() -> [AnalysisEvent] { report { _ in true } }

    package var flights: [Flight] {
        known.filter { $0.confidence >= configuration.confidence }.sorted { $0.start < $1.start }
    }

    /// Each candidate with its reason, in order of start: the last 20,000 if `explains` is set, else the open ones.
    package var explanations: [FlightExplanation] {
        let least = configuration.confidence
        return (refused + known).sorted { $0.start < $1.start }
            .map { FlightExplanation($0, isReported: $0.confidence >= least, aspectRatio: aspectRatio) }
    }

    /// The flights so far that reach the confidence.
    public var result: TrajectoriesResult {
        TrajectoriesResult(trajectories: flights.map { FlightResult($0, aspectRatio: aspectRatio) })
    }

    /// Recent flights, which fade after their end, and the total number.
    public var layers: [OverlayLayer] {
        let paths = flights.enumerated().compactMap { number, flight in path(of: flight, number: number) }
        let others =
            configuration.explains
            ? (refused.suffix(64) + known).filter { $0.confidence < configuration.confidence } : []
        return [
            .trajectories(TrajectoryOverlay(others.compactMap { path(of: $0, number: 0, isRefused: true) } + paths)),
            .hud(HUD(count: flights.count, one: "flight")),
        ]
    }

    private func path(of flight: Flight, number: Int, isRefused: Bool = false) -> TrajectoryOverlay.Path? {
        let age = time - flight.end
        guard age < Self.fadeDuration else { return nil }
        let observation = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
        return (
            observation.detectedPoints.map(\.cgPoint), flight.curve(aspectRatio: aspectRatio), flight.radius, age <= 0,
            1 - age / Self.fadeDuration, number, isRefused
        )
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

/// The flights in a video; the JSON of `kinema trajectories`.
public struct TrajectoriesResult: AnalysisResult, Hashable {
    /// The flights in order of their start.
    public var trajectories: [FlightResult]

    /// One row per flight.
    public static var columns: [String] {
        ["trajectory", "id", "start", "end", "a", "b", "c", "confidence", "radius", "points", "unseen"]
    }

    /// The flights.
    public var rows: [[String]] {
        trajectories.enumerated().map { index, flight in
            ["\(index + 1)", flight.id.uuidString, "\(flight.start.rounded(to: 4))", "\(flight.end.rounded(to: 4))"]
                + flight.coefficients.map { "\($0)" }
                + ["\(flight.confidence)", "\(flight.radius)", "\(flight.times.count)", flight.unseen ?? ""]
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
                    + "confidence \(flight.confidence.text(2))" + (flight.unseen.map { "; \($0)" } ?? "")
            }
    }
}

/// A candidate with the reason it was reported as a flight or not; a line of `kinema trajectories --explain`.
package struct FlightExplanation: Codable, Sendable, Hashable {
    package struct Quantity: Codable, Sendable, Hashable {
        /// The measured value; lengths in the object's radii, times in seconds.
        package var value: Double
        /// The transformed value in the score, before scaling.
        package var term: Double
        /// The contribution to the logarithm of the odds, relative to a typical flight; negative contradicts a flight.
        package var weight: Double
    }

    /// The first and the last time it was seen, in seconds.
    package var start: Double, end: Double
    package var isReported: Bool
    package var verdict: String
    package var confidence: Double
    /// The possibility of a flight by fall and advance, 0...1; a factor of the score.
    package var possibility: Double
    package var radius: Double
    /// Time in seconds, x and y of each point; x and y normalised, origin at the lower left.
    package var points: [[Double]]
    package var quantities: [String: Quantity]

    init(_ flight: Flight, isReported: Bool, aspectRatio: Double) {
        let score = FlightConfidence(flight)
        let doubts = score.doubts.joined(separator: "; ")
        (start, end) = (flight.start.rounded(to: 6), flight.end.rounded(to: 6))
        self.isReported = isReported
        verdict =
            isReported
            ? "reported" + (doubts.isEmpty ? "" : ", although " + doubts)
            : "refused: " + (doubts.isEmpty ? "its confidence is below the requested one" : doubts)
        confidence = flight.confidence.rounded(to: 4)
        possibility = score.possibility.rounded(to: 4)
        radius = flight.radius.rounded(to: 6)
        points = flight.points.map { point in
            let (x, y) = (point.object.position.x, point.object.position.y * aspectRatio)
            return [point.time.rounded(to: 6), x.rounded(to: 6), y.rounded(to: 6)]
        }
        quantities = Dictionary(
            uniqueKeysWithValues: score.quantities.map { quantity in
                func finite(_ value: Double) -> Double { min(max(value, -1e9), 1e9).rounded(to: 6) }
                return (
                    quantity.name,
                    Quantity(
                        value: quantity.value.isNaN ? 0 : finite(quantity.value), term: finite(quantity.term),
                        weight: finite(quantity.weight))
                )
            })
    }
}
