import Foundation

/// What was seen of one thing's flight, put together from trajectories that continue each other.
struct FlightRecord: Sendable {
    /// A trajectory: where it went, and the surest it ever was.
    struct Part: Sendable {
        var uuid: UUID
        var spots: [TossTrajectory.Spot]
        var confidence: Float
    }

    /// The trajectories in the order they began.
    private(set) var parts: [Part] = []
    /// When something new was last seen of it, seconds.
    private(set) var lastSeen: TimeInterval

    init(_ trajectory: TossTrajectory, at time: TimeInterval) {
        lastSeen = time
        add(trajectory, at: time)
    }

    /// All spots in order of time.
    var spots: [TossTrajectory.Spot] { parts.flatMap(\.spots).sorted { $0.time < $1.time } }

    /// Takes what a trajectory tells; its points are known by their times, so none is taken twice.
    mutating func add(_ trajectory: TossTrajectory, at time: TimeInterval) {
        lastSeen = max(lastSeen, time)
        guard let index = parts.firstIndex(where: { $0.uuid == trajectory.uuid }) else {
            parts.append(
                Part(uuid: trajectory.uuid, spots: trajectory.spots, confidence: trajectory.confidence))
            return
        }
        let (first, last) = (trajectory.spots.first?.time ?? 0, trajectory.spots.last?.time ?? 0)
        parts[index].confidence = max(parts[index].confidence, trajectory.confidence)
        // The newest word counts: a point may be corrected later.
        let kept = parts[index].spots.filter { $0.time < first - 1e-6 || $0.time > last + 1e-6 }
        parts[index].spots = (kept + trajectory.spots).sorted { $0.time < $1.time }
    }

    /// The surest any part ever was, 0...1.
    var confidence: Float { parts.map(\.confidence).max() ?? 0 }

    func contains(_ uuid: UUID) -> Bool { parts.contains { $0.uuid == uuid } }
}
