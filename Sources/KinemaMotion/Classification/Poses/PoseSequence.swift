public import Foundation
public import KinemaCore

/// One body's or one hand's joints over time: what an action classifier learns from and judges.
///
/// Places are in any unit that is the same in both directions, y up; only their proportions matter.
public struct PoseSequence: Hashable, Sendable {
    /// Whose joints these are.
    public let subject: ActionSubject
    /// When each frame was, seconds, increasing.
    public private(set) var times: [TimeInterval]
    /// For each frame and each joint in the subject's order x, y and confidence (0...1; 0 for a joint not seen).
    public private(set) var points: [Float]

    /// Below that confidence a joint counts as not seen: OpenPose's own pictures leave such joints out.
    static let leastConfidence: Float = 0.05

    /// Further from the origin no joint is, pixels: hundred times the largest picture. Squares of lengths stay exact.
    package static let furthestPlace: Float = 1e6

    /// Makes an empty sequence.
    public init(_ subject: ActionSubject) {
        self.subject = subject
        times = []
        points = []
    }

    /// Makes a sequence from poses, nil where nobody was seen.
    ///
    /// `aspectRatio` is the picture's width divided by its height, which turns normalised places into proportions.
    public init(
        _ subject: ActionSubject, poses: some Sequence<(time: TimeInterval, pose: Pose?)>, aspectRatio: Double
    ) {
        self.init(subject)
        for (time, pose) in poses { append(pose, at: time, aspectRatio: aspectRatio) }
    }

    init(_ subject: ActionSubject, times: [TimeInterval], points: [Float]) {
        (self.subject, self.times, self.points) = (subject, times, points)
    }

    /// How many frames there are.
    public var count: Int { times.count }
    /// How many numbers a frame has.
    var frameSize: Int { subject.joints.count * 3 }
    /// From the first frame to the last, seconds.
    public var duration: TimeInterval { count > 1 ? times[count - 1] - times[0] : 0 }

    /// Adds a frame; a time that is not after the last one's is left out, since it cannot be placed.
    public mutating func append(_ pose: Pose?, at time: TimeInterval, aspectRatio: Double) {
        var frame: [Float] = []
        frame.reserveCapacity(frameSize)
        for key in subject.joints {
            let joint = pose?.keypoints[key]
            frame.append(Float((joint?.location.x ?? 0) * aspectRatio))
            frame.append(Float(joint?.location.y ?? 0))
            frame.append(joint?.confidence ?? 0)
        }
        append(frame, at: time)
    }

    /// Adds a frame of x, y, confidence for each joint in the subject's order.
    ///
    /// Numbers that are not finite or beyond `furthestPlace` make a joint not seen. A frame of another size, a time that
    /// is not after the last one's and one beyond 10^10 s are left out.
    public mutating func append(_ frame: [Float], at time: TimeInterval) {
        guard frame.count == frameSize, EvenGrid.holds(time), times.last.map({ time > $0 }) ?? true else { return }
        times.append(time)
        for start in stride(from: 0, to: frame.count, by: 3) {
            let isSeen =
                frame[start..<start + 3].allSatisfy { abs($0) <= Self.furthestPlace }
                && frame[start + 2] >= Self.leastConfidence
            points.append(contentsOf: isSeen ? frame[start..<start + 3] : [0, 0, 0])
        }
    }

    /// Takes the oldest frames away.
    mutating func removeFirst(_ frames: Int) {
        times.removeFirst(frames)
        points.removeFirst(frames * frameSize)
    }

    /// The share of frames in which at least three joints were seen.
    public var shareSeen: Double {
        guard count > 0 else { return 0 }
        let seen = (0..<count).count { frame in
            (0..<subject.joints.count).count { points[frame * frameSize + $0 * 3 + 2] > 0 } >= 3
        }
        return Double(seen) / Double(count)
    }

    /// The frames between two times, seconds.
    public func clipped(to range: Range<TimeInterval>) -> PoseSequence {
        var part = PoseSequence(subject)
        for frame in 0..<count where range.contains(times[frame]) {
            part.times.append(times[frame])
            part.points.append(contentsOf: points[frame * frameSize..<(frame + 1) * frameSize])
        }
        return part
    }
}
