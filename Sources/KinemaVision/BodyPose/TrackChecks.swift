import Foundation

/// The turns in which tracks are checked, and how often in a row each was doubtful.
struct TrackChecks: Sendable {
    /// The time between two checks, in seconds: one takes as long as following a person for two to four frames.
    private static let interval: TimeInterval = 2
    /// The time after which a doubtful track is checked again.
    private static let intervalInDoubt: TimeInterval = 0.5
    /// After this many doubtful checks in a row a track shows nobody.
    private static let maximumDoubts = 3

    private var lastTime: TimeInterval?
    private var lastID = 0
    private var doubts: [Int: Int] = [:]

    /// The track to check now, if a check is due.
    mutating func next(of ids: [Int], at time: TimeInterval) -> Int? {
        doubts = doubts.filter { ids.contains($0.key) }
        let last = lastTime ?? time
        lastTime = lastTime ?? time
        let interval = doubts.isEmpty ? Self.interval : Self.intervalInDoubt
        guard time - last >= interval || time < last else { return nil }
        // A doubtful track is checked again before the others.
        guard let id = doubts.keys.min() ?? ids.first(where: { $0 > lastID }) ?? ids.first else { return nil }
        (lastTime, lastID) = (time, id)
        return id
    }

    /// Records a check; returns whether the track has been doubtful too often.
    mutating func isRefuted(_ id: Int, isDoubtful: Bool) -> Bool {
        doubts[id] = isDoubtful ? (doubts[id] ?? 0) + 1 : nil
        return (doubts[id] ?? 0) >= Self.maximumDoubts
    }
}
