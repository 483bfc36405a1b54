import Foundation
import KinemaCore

/// Detects a change of camera or person from one frame to the next.
///
/// Where poses carry a shot number, the picture has decided what is a cut. Beyond that, only a jump that no body can
/// make counts, as when the tracker switches to another person.
struct CutDetector {
    private var last: (pose: Pose, joints: BodyJoints, time: TimeInterval)?
    /// The usual median jump of the joints from frame to frame, torso lengths: poorly visible joints jitter.
    private var usual: Float = 0

    /// The least lower-quartile jump of the joints at a cut, torso lengths: below this even a cut changes little.
    private static let leastJump: Float = 0.1
    /// A cut jumps this many times as far as usual.
    private static let suddenness: Float = 3
    /// How long the usual jump is remembered, seconds: the fast half of a fast repetition.
    private static let memory: TimeInterval = 0.3
    /// The farthest that half of the joints go in one frame, torso lengths, plus torso lengths a second: landmark
    /// smoothing lets no more through.
    private static let farthest: (Float, speed: Float) = (0.45, 4)

    /// Whether the body cannot have moved this way.
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
