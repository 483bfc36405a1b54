import Foundation
import KinemaCore
import KinemaMedia

/// Keeps the frames that are not analysed until the next analysed one, and puts people between the two.
struct SkippedFrames: Sendable {
    private var kept: [VideoFrame] = []
    private var last: PosedFrame?

    /// The longest time between two sightings of a person who is shown between them, in seconds: less than the quickest
    /// repetitions take.
    private static let longestGap: TimeInterval = 0.25

    var count: Int { kept.count }

    mutating func add(_ frame: VideoFrame) { kept.append(frame) }

    /// The kept frames, then the analysed one that follows them.
    mutating func finish(before next: PosedFrame) -> [PosedFrame] {
        defer { (kept, last) = ([], next) }
        return kept.map { frame in
            let between = last.flatMap { Self.people(at: frame.time, between: $0, and: next) }
            return PosedFrame(
                frame: frame, poses: between?.poses ?? [], hands: between?.hands ?? [], isAnalysed: false)
        } + [next]
    }

    /// The kept frames if no analysed one follows soon, with the people of the one before.
    mutating func finish() -> [PosedFrame] {
        defer { kept = [] }
        return kept.map { frame in
            let known = last.flatMap { frame.time - $0.frame.time <= Self.longestGap ? $0 : nil }
            return PosedFrame(frame: frame, poses: known?.poses ?? [], hands: known?.hands ?? [], isAnalysed: false)
        }
    }

    /// The people and hands that are in both frames, without a cut between them.
    private static func people(
        at time: TimeInterval, between one: PosedFrame, and other: PosedFrame
    ) -> (poses: [Pose], hands: [HumanHandPoseObservation])? {
        let length = other.frame.time - one.frame.time
        guard length > 0, length <= longestGap else { return nil }
        let share = (time - one.frame.time) / length
        let poses = one.poses.compactMap { pose in
            other.poses.first { $0.id == pose.id && $0.shot == pose.shot }.map { pose.moved(share, towards: $0) }
        }
        let hands = one.hands.compactMap { hand -> HumanHandPoseObservation? in
            guard let next = other.hands.first(where: { $0.pose.id == hand.pose.id }) else { return nil }
            var hand = hand
            hand.pose = hand.pose.moved(share, towards: next.pose)
            return hand
        }
        return (poses, hands)
    }
}

extension Pose {
    /// The joints of both poses, this share of the way from these to those.
    fileprivate func moved(_ share: Double, towards other: Pose) -> Pose {
        var pose = self
        pose.keypoints = keypoints.reduce(into: [:]) { joints, entry in
            guard let next = other.keypoints[entry.key] else { return }
            let (from, to) = (entry.value.location, next.location)
            joints[entry.key] = JointPoint(
                entry.key,
                location: CGPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share),
                confidence: min(entry.value.confidence, next.confidence))
        }
        // Nothing is drawn in depth.
        pose.keypoints3D = [:]
        return pose
    }
}
