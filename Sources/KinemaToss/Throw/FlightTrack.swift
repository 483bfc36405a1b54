import Foundation

/// The track of one flying object, joined from trajectories that continue each other.
struct FlightTrack: Sendable {
    /// The trajectories in the order they began, each with its highest confidence.
    private(set) var tracklets: [TossTrajectory] = []
    private(set) var lastSeen: TimeInterval
    /// Whether the throw was evaluated; later sightings, as of a bag that slides, do not begin another one.
    var isComplete = false
    /// The last sighting after which the landing was judged.
    var judged: TimeInterval?

    init(_ trajectory: TossTrajectory, at time: TimeInterval) {
        lastSeen = time
        add(trajectory, at: time)
    }

    var samples: [TossTrajectory.Sample] { tracklets.flatMap(\.samples).sorted { $0.time < $1.time } }

    /// Adds the samples of a trajectory; their times identify them, so none is added twice.
    mutating func add(_ trajectory: TossTrajectory, at time: TimeInterval) {
        lastSeen = max(lastSeen, time)
        guard let index = tracklets.firstIndex(where: { $0.uuid == trajectory.uuid }) else {
            return tracklets.append(trajectory)
        }
        let (first, last) = (trajectory.samples.first?.time ?? 0, trajectory.samples.last?.time ?? 0)
        tracklets[index].confidence = max(tracklets[index].confidence, trajectory.confidence)
        // The newest version of a sample replaces the old one.
        let kept = tracklets[index].samples.filter { $0.time < first - 1e-6 || $0.time > last + 1e-6 }
        tracklets[index].samples = (kept + trajectory.samples).sorted { $0.time < $1.time }
    }

    var start: TimeInterval { tracklets.compactMap { $0.samples.first?.time }.min() ?? lastSeen }

    var confidence: Float { tracklets.map(\.confidence).max() ?? 0 }

    func contains(_ uuid: UUID) -> Bool { tracklets.contains { $0.uuid == uuid } }
}
