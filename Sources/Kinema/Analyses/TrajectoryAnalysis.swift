import Foundation
import KinemaCore
public import KinemaDraw
import KinemaVision

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
