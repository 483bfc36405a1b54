import Foundation
import KinemaCore

/// Notices that the camera or the person changed from one frame to the next.
///
/// Where poses tell their shot, the picture has decided whether that was a cut. Besides, only what no body can do is one, as
/// when another person is tracked by mistake.
struct CutDetector {
    private var last: (pose: Pose, joints: BodyJoints, time: TimeInterval)?
    /// How far the middle joint usually jumps from frame to frame, torso lengths: what cannot be seen well jitters.
    private var usual: Float = 0

    /// A shorter jump of all but a quarter of the joints changes little even if it is a cut, torso lengths.
    private static let leastJump: Float = 0.1
    /// A cut is so many times farther than the usual jump.
    private static let suddenness: Float = 3
    /// How long the usual jump is remembered, seconds: as long as the swift half of a swift repetition.
    private static let memory: TimeInterval = 0.3
    /// How far half of the joints go at most in one frame, torso lengths, and torso lengths a second besides: no smoothing
    /// of landmarks would let more pass.
    private static let farthest: (Float, speed: Float) = (0.45, 4)

    /// Whether the body cannot have moved so.
    mutating func isCut(_ pose: Pose, _ joints: BodyJoints, size: Float, at time: TimeInterval) -> Bool {
        defer { last = (pose, joints, time) }
        guard let last, size > 0, time > last.time else { return false }
        let jumps = joints.points.indices.filter {
            min(joints.confidences[$0], last.joints.confidences[$0]) > 0.2
        }.map { ((joints.points[$0] - last.joints.points[$0]) / size).length }.sorted()
        guard jumps.count >= 4 else { return false }
        let interval = Float(time - last.time)
        let middle = jumps[jumps.count / 2]
        let isImpossible =
            middle > Self.farthest.0 + Self.farthest.speed * interval && middle > Self.suddenness * usual
        usual += (middle - usual) * min(1, interval / Float(Self.memory))
        let isNewShot = pose.shot.flatMap { shot in last.pose.shot.map { $0 != shot } }
        if isNewShot == true, jumps[jumps.count / 4] > Self.leastJump { return true }
        let isSameBody = isNewShot == false && pose.id != nil && pose.id == last.pose.id
        return isImpossible && !isSameBody
    }

    mutating func reset() {
        last = nil
        usual = 0
    }
}

extension SIMD2<Float> {
    fileprivate var length: Float { (self * self).sum().squareRoot() }
}
