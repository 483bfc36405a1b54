import Foundation
import KinemaCore

/// Notices that the camera or the person changed from one frame to the next.
///
/// Bodies move fast, but some part of them stays behind and none is fast from one frame to the next: a cut moves nearly
/// all of the joints at once, and out of nothing. Where poses tell their shot, the picture decides whether that was one;
/// only what no body can do is a cut within a shot too, as when somebody else is taken for the person.
struct CutDetector {
    private var last: (pose: Pose, joints: BodyJoints, time: TimeInterval)?
    /// The greatest speed that all but a quarter of the joints reached lately, torso lengths a second.
    private var speed: Float = 0
    /// How far the middle joint usually jumps from frame to frame, torso lengths: what cannot be seen well jitters.
    private var usual: Float = 0
    /// How many frames in a row were seen.
    private var seen = 0

    /// A shorter jump of all but a quarter of the joints changes little even if it is a cut, torso lengths: this, and as much a
    /// second as a swift body goes.
    private static let leastJump: (Float, speed: Float) = (0.1, 1.5)
    /// A cut is so many times faster than what was before.
    private static let suddenness: Float = 3
    /// How long a speed is remembered, seconds: as long as the swift half of a swift repetition.
    private static let memory: TimeInterval = 0.3

    /// Who drops or jumps moves as one: half of the joints stay within this of the way that most go, torso lengths.
    private static let together: Float = 0.25
    /// Seen from another side, a body's joints lie so far from where they were in space, torso lengths.
    private static let turned: Float = 0.3

    /// Whether the body cannot have moved so.
    mutating func isCut(_ pose: Pose, _ joints: BodyJoints, size: Float, at time: TimeInterval) -> Bool {
        defer { last = (pose, joints, time) }
        seen += 1
        guard let last, size > 0, time > last.time else { return false }
        let moves = joints.points.indices.filter {
            min(joints.confidences[$0], last.joints.confidences[$0]) > 0.2
        }.map { (joints.points[$0] - last.joints.points[$0]) / size }
        guard moves.count >= 4 else { return false }
        let jumps = moves.map(\.length).sorted()
        let interval = Float(time - last.time)
        let most = jumps[jumps.count / 4]
        // Torso lengths a second that half of the joints reach in the fastest jumps, beside a jump in one frame that
        // no smoothing of landmarks would let pass.
        let middle = jumps[jumps.count / 2]
        let isImpossible = middle > 0.45 + 4 * interval && middle > Self.suddenness * usual
        usual += (middle - usual) * min(1, interval / Float(Self.memory))
        let isSudden =
            seen > 3 && most > Self.leastJump.0 + Self.leastJump.speed * interval
            && most > Self.suddenness * speed * interval && !movedAsOne(moves, from: last.pose, to: pose)
        let isNewShot = pose.shot.flatMap { shot in last.pose.shot.map { $0 != shot } }
        if isNewShot == true, most > Self.leastJump.0 { return true }
        speed = max(most / interval, speed * Float(exp(-Double(interval) / Self.memory)))
        let isSameBody = isNewShot == false && pose.id != nil && pose.id == last.pose.id
        return isImpossible && !isSameBody || isNewShot == nil && isSudden
    }

    private func movedAsOne(_ moves: [SIMD2<Float>], from before: Pose, to after: Pose) -> Bool {
        let way = SIMD2(moves.map(\.x).sorted()[moves.count / 2], moves.map(\.y).sorted()[moves.count / 2])
        guard moves.map({ ($0 - way).length }).sorted()[moves.count / 2] < Self.together else { return false }
        return BodySpace(before).distance(to: BodySpace(after)) < Self.turned
    }

    mutating func reset() {
        last = nil
        speed = 0
        usual = 0
        seen = 0
    }
}

extension SIMD2<Float> {
    fileprivate var length: Float { (self * self).sum().squareRoot() }
}
