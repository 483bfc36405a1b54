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
        /// Whether to keep what was followed and not taken for a flight, for `explanations` and as thin grey paths.
        public var explains = false

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
    private var refused: [Flight] = []

    /// A flight not seen for this long is over, seconds.
    private static let endTimeout = 0.5
    /// The least number of refused candidates that are kept for an explanation, about ten minutes of a busy scene.
    private static let maximumRefused = 20_000
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
        func isRefused(_ flight: Flight) -> Bool { flight.confidence < minimum && now - flight.end > Self.endTimeout }
        if configuration.explains {
            refused += known.filter(isRefused)
            // In one go, so that not every frame moves the rest.
            if refused.count > 2 * Self.maximumRefused {
                refused.removeFirst(refused.count - Self.maximumRefused)
            }
        }
        known.removeAll(where: isRefused)
        return report { now - $0.end > Self.endTimeout }
    }

    /// Ends the stream and returns the flights that were not over yet.
    public mutating func finish() -> [AnalysisEvent] { report { _ in true } }

    /// The confident flights so far, in order of their start.
    package var flights: [Flight] {
        known.filter { $0.confidence >= configuration.confidence }.sorted { $0.start < $1.start }
    }

    /// What was followed and why it was told or not, in order of start; at least the last 20,000 if `explains` is set, otherwise
    /// what is still followed.
    public var explanations: [FlightExplanation] {
        (refused + known).sorted { $0.start < $1.start }
            .map { FlightExplanation($0, isTold: $0.confidence >= configuration.confidence, aspectRatio: aspectRatio) }
    }

    /// The confident flights so far.
    public var result: TrajectoriesResult {
        TrajectoriesResult(trajectories: flights.map { FlightResult($0, aspectRatio: aspectRatio) })
    }

    /// The flights of the last moments, which fade after their end, and the number of all.
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

    /// The path of a flight of the last moments; nil for an older one.
    private func path(of flight: Flight, number: Int, isRefused: Bool = false) -> TrajectoryOverlay.Path? {
        let age = time - flight.end
        guard age < Self.fadeDuration else { return nil }
        let observation = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
        return TrajectoryOverlay.Path(
            points: observation.detectedPoints.map(\.cgPoint), curve: flight.curve(aspectRatio: aspectRatio),
            radius: flight.radius, isFlying: age <= 0, strength: 1 - age / Self.fadeDuration, number: number,
            isRefused: isRefused)
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

/// What was followed, and why it was taken for a flight or not; a line of `kinema trajectories --explain`.
public struct FlightExplanation: Codable, Sendable, Hashable {
    /// A quantity that speaks for or against a flight.
    public struct Quantity: Codable, Sendable, Hashable {
        /// The measured value; lengths in the object's radii, times in seconds.
        public var value: Double
        /// The value as it enters the score, before it is scaled.
        public var term: Double
        /// What it adds to the logarithm of the odds, compared with a typical flight; negative speaks against a flight.
        public var weight: Double
    }

    /// The first and the last time it was seen, in seconds.
    public var start: Double, end: Double
    /// Whether it was told as a flight.
    public var isTold: Bool
    /// Why, in words.
    public var verdict: String
    /// The confidence that it is a flight, 0...1.
    public var confidence: Double
    /// How far it can be a flight at all, 0...1, by its fall and by moving on; the score is multiplied by it.
    public var possibility: Double
    /// The object's radius in picture widths.
    public var radius: Double
    /// Time in seconds, x and y of each point; x and y normalised, origin at the lower left.
    public var points: [[Double]]
    /// All quantities of the confidence by name.
    public var quantities: [String: Quantity]

    /// The lines as text.
    package static func lines(_ explanations: [FlightExplanation]) throws -> String {
        try ResultCoding.lines(explanations)
    }

    init(_ flight: Flight, isTold: Bool, aspectRatio: Double) {
        let score = FlightConfidence(flight)
        let doubts = score.doubts.joined(separator: "; ")
        (start, end) = (flight.start.rounded(to: 6), flight.end.rounded(to: 6))
        self.isTold = isTold
        verdict =
            isTold
            ? "told" + (doubts.isEmpty ? "" : ", although " + doubts)
            : "refused: " + (doubts.isEmpty ? "the confidence asked for is higher" : doubts)
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
