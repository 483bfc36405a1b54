import Foundation

/// Notices that the camera or the person changed from one frame to the next.
struct CutDetector {
    private var last: (joints: BodyJoints, time: TimeInterval)?

    /// Whether the body cannot have moved so: half of its trusted joints jumped, or all of it grew or shrank.
    mutating func isCut(_ joints: BodyJoints, size: Float, at time: TimeInterval) -> Bool {
        defer { last = (joints, time) }
        guard let last, size > 0 else { return false }
        var jumps: [Float] = []
        for index in joints.points.indices where min(joints.confidences[index], last.joints.confidences[index]) > 0.2 {
            let delta = (joints.points[index] - last.joints.points[index]) / size
            jumps.append((delta * delta).sum().squareRoot())
        }
        guard jumps.count >= 4 else { return false }
        jumps.sort()
        // Torso lengths a second that half of the joints reach in the fastest jumps, beside a jump in one frame that
        // no smoothing of landmarks would let pass.
        return jumps[jumps.count / 2] > 0.45 + 4 * Float(time - last.time)
    }

    mutating func reset() {
        last = nil
    }
}
