public import Foundation
import KinemaCore

/// Who let the bag go, with which hand and when.
public struct Release: Sendable, Hashable {
    /// Seconds from the first frame.
    public var time: TimeInterval
    /// The thrower's number.
    public var person: Int?
    /// Whether it was the left hand.
    public var isLeft: Bool
    /// How far the bag's path passes the hand, in lengths of the thrower's trunk.
    public var distance: Double

    /// Makes a release; the time is in seconds, the distance in lengths of the trunk.
    public init(time: TimeInterval, person: Int?, isLeft: Bool, distance: Double) {
        self.time = time
        self.person = person
        self.isLeft = isLeft
        self.distance = distance
    }
}

/// Finds the release: where the bag's path, followed back, meets a hand.
struct ReleaseFinder {
    let aspectRatio: Double
    let rules: TossRules

    /// How far before and after the first sight of the flying bag it may have been let go, seconds.
    static let before = 0.6
    static let after = 0.07
    /// A path this near a hand, in lengths of the trunk, may have begun in it.
    static let near = 0.5

    /// The meeting of a path with the hand that comes nearest to it; nil when nobody is to be seen.
    func find(first: TimeInterval, trail: PoseTrail, path: (TimeInterval) -> CGPoint) -> Release? {
        let moments = trail.moments.filter { (first - Self.before...first + Self.after).contains($0.time) }
        let meetings = Set(moments.flatMap { $0.poses.map(\.id) }).compactMap { person in
            [false, true].compactMap { meeting(person, $0, moments, path) }.min { $0.distance < $1.distance }
        }
        // Whoever the path passes later, the bag flew already.
        return meetings.filter { $0.distance < Self.near }.min { $0.time < $1.time }
            ?? meetings.min { $0.distance < $1.distance }
    }

    private func meeting(
        _ person: Int?, _ isLeft: Bool, _ moments: [PoseTrail.Moment], _ path: (TimeInterval) -> CGPoint
    ) -> Release? {
        var gaps: [(time: TimeInterval, gap: Double)] = []
        for moment in moments {
            guard let pose = moment.poses.first(where: { $0.id == person }),
                let hand = pose.grip(isLeft: isLeft, threshold: rules.jointConfidence, aspectRatio: aspectRatio),
                let trunk = pose.trunkLength(aspectRatio: aspectRatio)
            else { continue }
            let bag = path(moment.time)
            gaps.append((moment.time, hypot((bag.x - hand.x) * aspectRatio, bag.y - hand.y) / trunk))
        }
        guard let least = gaps.indices.min(by: { gaps[$0].gap < gaps[$1].gap }) else { return nil }
        var time = gaps[least].time
        if least > 0, least + 1 < gaps.count {
            // Between frames: the lowest point of the parabola through three gaps.
            let (a, b, c) = (gaps[least - 1].gap, gaps[least].gap, gaps[least + 1].gap)
            let bend = a - 2 * b + c
            if bend > 1e-9 { time += (gaps[least + 1].time - gaps[least].time) * min(max((a - c) / (2 * bend), -1), 1) }
        }
        return Release(time: time, person: person, isLeft: isLeft, distance: gaps[least].gap)
    }
}

extension Pose {
    /// A joint surer than a threshold: normalised, origin at the lower left.
    func place(_ key: JointKey, above threshold: Float) -> CGPoint? {
        guard let joint = keypoints[key], joint.confidence > threshold else { return nil }
        return joint.location
    }

    /// Where a bag lies in a hand: on the fingers, or a third of a forearm beyond the wrist.
    func grip(isLeft: Bool, threshold: Float, aspectRatio: Double) -> CGPoint? {
        guard let wrist = place(isLeft ? .leftWrist : .rightWrist, above: threshold) else { return nil }
        if let index = place(isLeft ? .leftIndexFinger : .rightIndexFinger, above: threshold),
            let little = place(isLeft ? .leftLittleFinger : .rightLittleFinger, above: threshold)
        {
            return CGPoint(x: (index.x + little.x) / 2, y: (index.y + little.y) / 2)
        }
        guard let elbow = place(isLeft ? .leftElbow : .rightElbow, above: threshold) else { return wrist }
        return CGPoint(x: wrist.x + (wrist.x - elbow.x) / 3, y: wrist.y + (wrist.y - elbow.y) / 3)
    }

    /// From the middle of the hips to the middle of the shoulders, picture heights.
    func trunkLength(aspectRatio: Double) -> Double? {
        guard let shoulders = middle(.leftShoulder, .rightShoulder), let hips = middle(.leftHip, .rightHip) else {
            return nil
        }
        let length = hypot((shoulders.x - hips.x) * aspectRatio, shoulders.y - hips.y)
        return length > 0.01 ? length : nil
    }

    /// The middle between two joints, or the one of them that is known.
    func middle(_ one: JointKey, _ other: JointKey) -> CGPoint? {
        switch (keypoints[one]?.location, keypoints[other]?.location) {
        case (let a?, let b?): CGPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
        case (let a?, nil): a
        case (nil, let b?): b
        default: nil
        }
    }
}
