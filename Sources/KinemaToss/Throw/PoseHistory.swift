import Foundation
import KinemaCore

/// The recent poses of everyone.
struct PoseHistory: Sendable {
    struct Frame: Sendable {
        /// Seconds from the first frame.
        var time: TimeInterval
        var poses: [Pose]
    }

    /// In order of time.
    private(set) var frames: [Frame] = []
    /// How long poses are kept, in seconds.
    let duration: TimeInterval

    init(duration: TimeInterval) { self.duration = duration }

    mutating func append(_ poses: [Pose], at time: TimeInterval) {
        frames.append(Frame(time: time, poses: poses))
        let old = frames.prefix { $0.time < time - duration }.count
        if old > 60 { frames.removeFirst(old) }
    }

    /// The poses of one person between two times in seconds.
    func poses(of id: Int?, in range: ClosedRange<TimeInterval>) -> [(time: TimeInterval, pose: Pose)] {
        frames.filter { range.contains($0.time) }.compactMap { frame in
            frame.poses.first { $0.id == id }.map { (frame.time, $0) }
        }
    }
}
