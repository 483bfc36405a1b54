import Foundation

/// Notices that the camera or the person changed from one frame to the next.
///
/// Bodies move fast, but some part of them stays behind and none is fast from one frame to the next: a cut moves nearly
/// all of the joints at once, and out of nothing.
struct CutDetector {
    private var last: (joints: BodyJoints, time: TimeInterval)?
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

    /// Whether the body cannot have moved so.
    mutating func isCut(_ joints: BodyJoints, size: Float, at time: TimeInterval) -> Bool {
        defer { last = (joints, time) }
        seen += 1
        guard let last, size > 0, time > last.time else { return false }
        var jumps: [Float] = []
        for index in joints.points.indices where min(joints.confidences[index], last.joints.confidences[index]) > 0.2 {
            let delta = (joints.points[index] - last.joints.points[index]) / size
            jumps.append((delta * delta).sum().squareRoot())
        }
        guard jumps.count >= 4 else { return false }
        jumps.sort()
        let interval = Float(time - last.time)
        let most = jumps[jumps.count / 4]
        // Torso lengths a second that half of the joints reach in the fastest jumps, beside a jump in one frame that
        // no smoothing of landmarks would let pass.
        let middle = jumps[jumps.count / 2]
        let isImpossible = middle > 0.45 + 4 * interval && middle > Self.suddenness * usual
        usual += (middle - usual) * min(1, interval / Float(Self.memory))
        let isSudden =
            seen > 3 && most > Self.leastJump.0 + Self.leastJump.speed * interval
            && most > Self.suddenness * speed * interval
        speed = max(most / interval, speed * Float(exp(-Double(interval) / Self.memory)))
        return isImpossible || isSudden
    }

    mutating func reset() {
        last = nil
        speed = 0
        usual = 0
        seen = 0
    }
}
