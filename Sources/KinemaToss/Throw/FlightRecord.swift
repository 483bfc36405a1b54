import Foundation

/// What was seen of one thing's flight, put together from trajectories that continue each other.
struct FlightRecord: Sendable {
    /// The trajectories by their numbers, in the order they began.
    private(set) var parts: [(uuid: UUID, spots: [TossTrajectory.Spot])] = []
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
            parts.append((trajectory.uuid, trajectory.spots))
            return
        }
        let (first, last) = (trajectory.spots.first?.time ?? 0, trajectory.spots.last?.time ?? 0)
        // The newest word counts: a point may be corrected later.
        let kept = parts[index].spots.filter { $0.time < first - 1e-6 || $0.time > last + 1e-6 }
        parts[index].spots = (kept + trajectory.spots).sorted { $0.time < $1.time }
    }

    func contains(_ uuid: UUID) -> Bool { parts.contains { $0.uuid == uuid } }
}
