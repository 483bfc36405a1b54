package import Foundation
package import KinemaCore

/// Keeps left and right over time, person by person (`Pose.id`): models exchange the labels of legs or arms for a stretch.
///
/// A limb moves on as it moved before. If all joints of a pair of limbs jump to where those of the other side were
/// expected, the labels were exchanged, and are put back until they jump again. An exchange while the limbs pass each
/// other leaves no trace and is not found.
package struct SideContinuity: Sendable {
    /// The number of exchanges that were found so far.
    package private(set) var exchanges = 0
    /// The number of those after which the recording's labels were believed again: they lasted long, or the person was lost.
    package private(set) var unsure = 0
    private var people: [Int?: [Limbs]] = [:]

    package init() {}

    /// The poses of the next frame with the labels of before; `time` is in seconds and increases.
    package mutating func kept(_ poses: [Pose], at time: TimeInterval, aspectRatio: Double) -> [Pose] {
        for (id, limbs) in people where time - (limbs.first?.lastSeen ?? 0) > Limbs.memory {
            unsure += limbs.count(where: \.isExchanged)
            people[id] = nil
        }
        return poses.map { pose in
            guard !pose.isHeld else { return pose }
            var limbs = people[pose.id] ?? Limbs.groups.map(Limbs.init)
            var kept = pose
            for index in limbs.indices {
                let change = limbs[index].follow(&kept, at: time, aspectRatio)
                if change == .exchanged { exchanges += 1 }
                if change == .believed { unsure += 1 }
            }
            people[pose.id] = limbs
            return kept
        }
    }

    /// What was put back, and what may still be exchanged, in words; nil if nothing was exchanged.
    package var note: String? {
        guard exchanges > 0 else { return nil }
        let times = exchanges == 1 ? "once" : "\(exchanges) times"
        let reason = "lost from view or over \(Limbs.longest.text(0)) s long, they may still be exchanged"
        let doubt = unsure == 0 ? "" : "; after \(unsure) of these, \(reason)"
        return "left and right were exchanged \(times) in the recording and put back" + doubt
    }
}

/// The joints of a pair of limbs over time.
private struct Limbs {
    /// What has just been found: labels were exchanged, or are believed again after a long exchange.
    enum Change { case exchanged, believed }

    /// The left joints of legs, of arms.
    static let groups: [[JointKey]] = [
        [.leftHip, .leftKnee, .leftAnkle, .leftHeel, .leftFootTip], [.leftShoulder, .leftElbow, .leftWrist],
    ]
    /// Seconds without the person, or between two frames, after which nothing is expected of the limbs.
    static let memory = 0.12
    /// Seconds for which labels stay put back without a new jump: at the next passing the file is believed again.
    static let longest = 5.0
    /// The least confidence of a joint.
    private static let least: Float = 0.3
    /// The share of the distance to the expected places that is left after an exchange: in fewer frames than this no
    /// limb swings through.
    private static let clear = 0.4
    /// Shares of the body's size: the least mean jump of the joints, and the distance of limbs that pass each other. There
    /// a model mixes both limbs, and a jump of less is its error.
    private static let (leastJump, passing) = (0.06, 0.06)
    /// How many times farther than usual the joints jump; the usual way is the mean of the last frames, at least this many
    /// body sizes. Recordings of few frames per second have no jumps.
    private static let (leastTimes, leastWay) = (2.0, 0.005)
    /// The weight of the newest frame in that mean.
    private static let newest = 0.2

    private let keys: [JointKey]
    private(set) var lastSeen: TimeInterval = 0
    private(set) var isExchanged = false
    private var exchangedAt: TimeInterval = 0
    /// The last two places of each joint, both sides.
    private var last: [JointKey: SIMD2<Double>] = [:], before: [JointKey: SIMD2<Double>] = [:]
    private var (shot, step) = (Int?.none, 0.0)
    /// The mean way of the joints from frame to frame in body sizes; nil before the second.
    private var usualWay: Double?

    init(_ keys: [JointKey]) { self.keys = keys }

    /// Puts the labels of a pose back where needed.
    mutating func follow(_ pose: inout Pose, at time: TimeInterval, _ aspectRatio: Double) -> Change? {
        var change: Change?
        if time - lastSeen > Self.memory || pose.shot != shot {
            if isExchanged { change = .believed }
            (last, before, isExchanged, usualWay) = ([:], [:], false, nil)
        }
        if isExchanged { exchange(&pose) }
        let expected = expected(at: time)
        var places = places(in: pose, aspectRatio)
        let size = size(of: pose, aspectRatio)
        let jump = cost(of: places, expected, size)
        let isPassing = jump.apart < Self.passing
        let usual = usualWay.map { max($0, Self.leastWay) } ?? .infinity
        if jump.other < Self.clear * jump.same, jump.same - jump.other > Self.leastJump, !isPassing,
            jump.same > Self.leastTimes * usual
        {
            change = isExchanged ? nil : .exchanged
            turn(&pose, at: time)
            places = self.places(in: pose, aspectRatio)
        } else if isExchanged, isPassing, time - exchangedAt > Self.longest {
            change = .believed
            turn(&pose, at: time)
            places = self.places(in: pose, aspectRatio)
        }
        let way = cost(of: places, last, size)
        if way.apart < .infinity { usualWay = usualWay.map { $0 + Self.newest * (way.same - $0) } ?? way.same }
        (before, last, step, shot, lastSeen) = (last, places, time - lastSeen, pose.shot, time)
        return change
    }

    private mutating func turn(_ pose: inout Pose, at time: TimeInterval) {
        exchange(&pose)
        (isExchanged, exchangedAt) = (!isExchanged, time)
    }

    private func exchange(_ pose: inout Pose) {
        for key in keys {
            let other = key.mirrored
            let (one, two) = (pose.keypoints[key], pose.keypoints[other])
            pose.keypoints[other] = one.map { JointPoint(other, location: $0.location, confidence: $0.confidence) }
            pose.keypoints[key] = two.map { JointPoint(key, location: $0.location, confidence: $0.confidence) }
            let space = (pose.keypoints3D[key], pose.keypoints3D[other])
            pose.keypoints3D[other] = space.0.map {
                JointPoint3D(other, position: $0.position, confidence: $0.confidence)
            }
            pose.keypoints3D[key] = space.1.map { JointPoint3D(key, position: $0.position, confidence: $0.confidence) }
        }
    }

    private func places(in pose: Pose, _ aspectRatio: Double) -> [JointKey: SIMD2<Double>] {
        var places: [JointKey: SIMD2<Double>] = [:]
        for key in keys.flatMap({ [$0, $0.mirrored] }) {
            guard let joint = pose.keypoints[key], joint.confidence >= Self.least else { continue }
            places[key] = SIMD2(Double(joint.location.x) * aspectRatio, Double(joint.location.y))
        }
        return places
    }

    /// Where the joints are if they move on as they did.
    private func expected(at time: TimeInterval) -> [JointKey: SIMD2<Double>] {
        let share = step > 0 ? (time - lastSeen) / step : 0
        return last.reduce(into: [:]) { places, joint in
            places[joint.key] = joint.value + (before[joint.key].map { (joint.value - $0) * share } ?? .zero)
        }
    }

    private func size(of pose: Pose, _ aspectRatio: Double) -> Double {
        guard let box = pose.boundingBox() else { return 0 }
        return max(hypot(Double(box.width) * aspectRatio, Double(box.height)), 1e-6)
    }

    /// The mean distance of the joints from what is expected of their own and of the other side, and between the sides,
    /// in body sizes; without the hips or shoulders, which hardly move.
    private func cost(
        of places: [JointKey: SIMD2<Double>], _ expected: [JointKey: SIMD2<Double>], _ size: Double
    ) -> (same: Double, other: Double, apart: Double) {
        var (same, other, apart, count) = (0.0, 0.0, 0.0, 0.0)
        func distance(_ one: SIMD2<Double>, _ two: SIMD2<Double>) -> Double {
            ((one - two) * (one - two)).sum().squareRoot()
        }
        for key in keys.dropFirst() {
            guard let left = places[key], let right = places[key.mirrored], let ownLeft = expected[key],
                let ownRight = expected[key.mirrored]
            else { continue }
            same += distance(left, ownLeft) + distance(right, ownRight)
            other += distance(left, ownRight) + distance(right, ownLeft)
            apart += 2 * distance(left, right)
            count += 2
        }
        guard count >= 4, size > 0 else { return (0, 0, .infinity) }
        return (same / count / size, other / count / size, apart / count / size)
    }
}
