import Foundation
import KinemaCore

/// The thirteen joints that counting reads, in picture heights: x to the right, y up.
struct BodyJoints {
    static let keys: [JointKey] = [.nose] + BodySkeleton.limbs
    static let nose = 0
    static let shoulders = (1, 2)
    static let elbows = (3, 4)
    static let wrists = (5, 6)
    static let hips = (7, 8)
    static let knees = (9, 10)
    static let ankles = (11, 12)
    static let pairs = [shoulders, elbows, wrists, hips, knees, ankles]

    var points: [SIMD2<Float>]
    var confidences: [Float]

    /// Nil when too little of the trunk is visible to locate the body.
    init?(_ pose: Pose, aspectRatio: Float) {
        points = []
        confidences = []
        points.reserveCapacity(Self.keys.count)
        confidences.reserveCapacity(Self.keys.count)
        for key in Self.keys {
            let joint = pose.keypoints[key]
            points.append(SIMD2(Float(joint?.location.x ?? 0) * aspectRatio, Float(joint?.location.y ?? 0)))
            confidences.append(joint?.confidence ?? 0)
        }
        let shoulder = max(confidences[1], confidences[2])
        let hip = max(confidences[7], confidences[8])
        // Joints with zero confidence were left out on purpose, so require fewer.
        let enough = max(2, min(4, confidences.count(where: { $0 > 0 })))
        guard max(shoulder, hip) > 0.2, confidences.count(where: { $0 > 0.2 }) >= enough else { return nil }
    }

    /// The torso length that fits the visible segments whatever the body's orientation: projection only ever shortens a
    /// segment, so this takes the second largest estimate (the largest may be an error).
    ///
    /// Shares of body height from Drillis and Contini (in Winter, Biomechanics of Human Movement): torso 0.288,
    /// shoulder width 0.2 between joint centres, upper arm 0.186, forearm 0.146, thigh 0.245, shank 0.246.
    var torsoLength: Float? {
        var first: Float = 0
        var second: Float = 0
        func take(_ a: Int, _ b: Int, _ ratio: Float) {
            guard min(confidences[a], confidences[b]) > 0.3 else { return }
            let delta = points[a] - points[b]
            let length = ratio * (delta * delta).sum().squareRoot()
            if length > first {
                (first, second) = (length, first)
            } else if length > second {
                second = length
            }
        }
        take(1, 2, 1.44)
        if confidences[3] == 0, confidences[4] == 0 {
            // Without elbows, use the straight arm.
            for side in 0...1 { take(1 + side, 5 + side, 0.87) }
        }
        for side in 0...1 {
            take(1 + side, 7 + side, 1)
            take(1 + side, 3 + side, 1.55)
            take(3 + side, 5 + side, 1.97)
            take(7 + side, 9 + side, 1.18)
            take(9 + side, 11 + side, 1.17)
        }
        let length = second > 0 ? second : first
        return length > 0 ? length : nil
    }
}
