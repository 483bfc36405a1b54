import Foundation

/// Decides when a top-down model's detector runs: twice a second, and at once after a loss or a doubt.
struct DetectionSchedule: Sendable {
    /// The time between two detections while everyone is followed, seconds.
    static let interval: TimeInterval = 0.5
    /// The time between two detections after someone was lost, and for how long, seconds.
    static let urgent = (interval: 0.2, duration: 3.0)

    let every: Int?
    private var frames = 0
    private var lastTime: TimeInterval?
    private var lossTime: TimeInterval?
    private var isWanted = true

    init(every: Int?) { self.every = every }

    mutating func isDue(at time: TimeInterval) -> Bool {
        defer { frames += 1 }
        let isDue: Bool
        if let every {
            isDue = frames % max(1, every) == 0
        } else if let lastTime, time >= lastTime, !isWanted {
            let isUrgent = lossTime.map { time - $0 < Self.urgent.duration && time >= $0 } ?? false
            isDue = time - lastTime >= (isUrgent ? Self.urgent.interval : Self.interval) - 1e-6
        } else {
            isDue = true
        }
        if isDue { (lastTime, isWanted) = (time, false) }
        return isDue
    }

    mutating func record(inView: Int, lost: Bool, isDoubtful: Bool, searched: Bool, at time: TimeInterval) {
        if lost { lossTime = time }
        isWanted = inView == 0 || !searched && (lost || isDoubtful)
    }
}
