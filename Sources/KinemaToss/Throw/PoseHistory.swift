import Foundation
import KinemaCore

struct PoseHistory: Sendable {
    struct Frame: Sendable {
        var time: TimeInterval
        var poses: [Pose]
    }

    private(set) var frames: [Frame] = []
    let duration: TimeInterval

    init(duration: TimeInterval) { self.duration = duration }

    mutating func append(_ poses: [Pose], at time: TimeInterval) {
        frames.append(Frame(time: time, poses: poses))
        let old = frames.prefix { $0.time < time - duration }.count
        if old > 60 { frames.removeFirst(old) }
    }

    func poses(of id: Int?, in range: ClosedRange<TimeInterval>) -> [(time: TimeInterval, pose: Pose)] {
        frames.filter { range.contains($0.time) }.compactMap { frame in
            frame.poses.first { $0.id == id }.map { (frame.time, $0) }
        }
    }
}
