public import Foundation
public import KinemaCore

/// Tells how a bag was thrown from the thrower's movement.
public protocol ThrowTypeJudge: Sendable {
    /// The type of a throw; nil when the movement does not tell.
    ///
    /// `poses` are the thrower's in order of time (seconds), from before the release to after it; `aspectRatio` is the
    /// picture's width over its height.
    func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
}

/// Tells the type by the body's posture around the release, measured in the body's own lengths.
///
/// Overhand: the hand is above the shoulder. Underleg: a thigh is lifted to near the horizontal and the hand is below its
/// knee. Underhand: the hand is below the shoulder and both thighs hang.
public struct PostureJudge: ThrowTypeJudge {
    /// A thigh whose knee is lower than the hip by less than this share of the trunk's length is lifted.
    ///
    /// A thigh is about 0.85 trunks long (Drillis and Contini 1966: 0.245 to 0.288 of the height); the limit is a thigh
    /// 60 degrees from hanging. Standing and stepping keep it below 40 degrees.
    public var liftedThigh = 0.43
    /// How long around the release is looked at, seconds before and after.
    public var span: (before: TimeInterval, after: TimeInterval) = (0.12, 0.07)

    /// Makes the judge.
    public init() {}

    /// The type most of the frames around the release show; nil without frames.
    public func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
    {
        let range = release.time - span.before...release.time + span.after
        var near = poses.filter { range.contains($0.time) }
        if near.isEmpty, let nearest = poses.min(by: { abs($0.time - release.time) < abs($1.time - release.time) }) {
            near = [nearest]
        }
        var votes: [ThrowType: Int] = [:]
        for (_, pose) in near {
            guard let type = type(of: pose, isLeft: release.isLeft, aspectRatio: aspectRatio) else { continue }
            votes[type, default: 0] += 1
        }
        return votes.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
    }

    private func type(of pose: Pose, isLeft: Bool, aspectRatio: Double) -> ThrowType? {
        guard let wrist = pose.keypoints[isLeft ? .leftWrist : .rightWrist]?.location,
            let shoulders = pose.middle(.leftShoulder, .rightShoulder),
            let trunk = pose.trunkLength(aspectRatio: aspectRatio)
        else { return nil }
        let shoulder = pose.keypoints[isLeft ? .leftShoulder : .rightShoulder]?.location ?? shoulders
        if wrist.y > shoulder.y { return .overhand }
        for (hip, knee) in [(JointKey.leftHip, JointKey.leftKnee), (.rightHip, .rightKnee)] {
            guard let hip = pose.keypoints[hip]?.location, let knee = pose.keypoints[knee]?.location else { continue }
            if hip.y - knee.y < liftedThigh * trunk, wrist.y < knee.y + 0.2 * trunk { return .underleg }
        }
        return .underhand
    }
}

/// Takes the first answer of several judges.
public struct JudgesInTurn: ThrowTypeJudge {
    /// Asked in order.
    public var judges: [any ThrowTypeJudge]

    /// Makes a row of judges, the most trusted first.
    public init(_ judges: [any ThrowTypeJudge]) {
        self.judges = judges
    }

    /// The first answer there is.
    public func type(of poses: [(time: TimeInterval, pose: Pose)], release: Release, aspectRatio: Double) -> ThrowType?
    {
        for judge in judges {
            if let type = judge.type(of: poses, release: release, aspectRatio: aspectRatio) { return type }
        }
        return nil
    }
}
