import Foundation
import Kinema
import KinemaDraw

/// What `kinema trajectories` makes of a film: flights, and what is shown of them.
struct TrajectoryAnalysis: FilmAnalysis {
    private let request: DetectTrajectoriesRequest
    private let confidence: Double
    private let results: TrajectoriesResults
    private let aspectRatio: Double
    private var time: TimeInterval = 0
    private var known: [Flight] = []
    /// How many of the known flights were told already.
    private var told: Set<UUID> = []

    /// A flight that was not seen for so long is over, seconds.
    private static let silence = 0.5
    /// How long a path stays in the picture after its end, seconds.
    private static let afterglow = 1.5

    init(
        request: DetectTrajectoriesRequest, confidence: Double, results: TrajectoriesResults, reading: Reading
    ) {
        self.request = request
        self.confidence = confidence
        self.results = results
        aspectRatio = Double(reading.width) / Double(max(1, reading.height))
    }

    /// The sure flights so far, in order of their beginning.
    var flights: [Flight] {
        known.filter { $0.confidence >= confidence }.sorted { $0.start < $1.start }
    }

    mutating func take(_ element: TemporalFeature<PosedFrame>) throws {
        let frame = element.feature.frame
        time = frame.time
        for flight in request.flights(in: frame) {
            if let index = known.lastIndex(where: { $0.id == flight.id }) {
                known[index] = flight
            } else {
                known.append(flight)
            }
        }
        // What ended without becoming sure never will.
        let (now, least) = (time, confidence)
        known.removeAll { $0.confidence < least && now - $0.end > Self.silence }
        try tell { now - $0.end > Self.silence }
    }

    /// Takes note that the film ended.
    mutating func finish() throws {
        try tell { _ in true }
    }

    private mutating func tell(where isOver: (Flight) -> Bool) throws {
        for flight in flights where isOver(flight) && !told.contains(flight.id) {
            told.insert(flight.id)
            try results.write(flight)
        }
    }

    var hud: HUD { HUD(count: flights.count, one: "flight") }
    var strip: StripChart? { nil }
    var faults: [Int: Set<JointKey>] { [:] }
    var note: String { PlainText.counted(flights.count, "flight") }

    /// The flights of the last moment, fading after their end.
    var trajectories: TrajectoryOverlay? {
        let paths = flights.enumerated().compactMap { number, flight -> TrajectoryOverlay.Path? in
            let age = time - flight.end
            guard age < Self.afterglow else { return nil }
            let observation = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
            return TrajectoryOverlay.Path(
                points: observation.detectedPoints.map(\.cgPoint), curve: observation.projectedPoints.map(\.cgPoint),
                radius: flight.radius, isFlying: age <= 0, strength: 1 - age / Self.afterglow, number: number)
        }
        return TrajectoryOverlay(paths)
    }
}
