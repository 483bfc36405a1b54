public import Foundation
public import KinemaCore

/// Everyone's poses of the last seconds.
public struct PoseTrail: Sendable {
    /// The poses of one frame.
    public struct Moment: Sendable {
        /// Seconds from the first frame.
        public var time: TimeInterval
        /// Everyone in the frame.
        public var poses: [Pose]
    }

    /// In order of time.
    public private(set) var moments: [Moment] = []
    /// How much is kept, seconds.
    public let memory: TimeInterval

    /// Makes an empty trail that keeps so many seconds.
    public init(memory: TimeInterval) {
        self.memory = memory
    }

    /// Takes a frame's poses.
    public mutating func append(_ poses: [Pose], at time: TimeInterval) {
        moments.append(Moment(time: time, poses: poses))
        let old = moments.prefix { $0.time < time - memory }.count
        if old > 60 { moments.removeFirst(old) }
    }

    /// Forgets everything.
    public mutating func removeAll() { moments = [] }

    /// One person's poses between two times, seconds.
    public func poses(of id: Int?, in range: ClosedRange<TimeInterval>) -> [(time: TimeInterval, pose: Pose)] {
        moments.filter { range.contains($0.time) }.compactMap { moment in
            moment.poses.first { $0.id == id }.map { (moment.time, $0) }
        }
    }
}
