import Foundation
import KinemaCore

/// A body of rods in space, posed by a few angles and seen by a camera far away.
///
/// Segment lengths are shares of body height from Drillis and Contini (Winter, Biomechanics of Human Movement).
struct StickFigure {
    /// Angles in radians; all zero is standing with hanging arms.
    struct Stance {
        /// 0 stands, 1 squats with thighs level.
        var squat = 0.0
        /// The trunk leans forward.
        var lean = 0.0
        /// Upper arms swing forward, left and right.
        var armForward = (0.0, 0.0)
        /// Upper arms open sideways.
        var armOut = (0.0, 0.0)
        /// Elbows bend.
        var elbow = (0.0, 0.0)
        /// Legs open sideways.
        var legOut = 0.0
        /// Thighs swing forward, left and right; the feet leave the ground.
        var legForward = (0.0, 0.0)
        /// Knees bend, left and right.
        var knee = (0.0, 0.0)
        /// The pelvis moves, body heights: right and up.
        var offset = (0.0, 0.0)
        /// The body turns about its own axis, radians.
        var turn = 0.0
    }

    /// The camera's direction: 0 sees the body from the front, π/2 from its left.
    var yaw = 0.0
    /// Body height as a share of picture height.
    var scale = 0.7
    /// Where the feet's middle is in the picture, heights from the lower left; x too.
    var place = SIMD2(0.9, 0.12)
    var aspectRatio = 16.0 / 9
    var isMirrored = false
    /// Standard deviation of the landmarks' error, body heights.
    var jitter = 0.0
    var hidden: Set<JointKey> = []

    func pose(_ stance: Stance, noise: inout Noise) -> Pose {
        var points: [JointKey: JointPoint] = [:]
        var space: [JointKey: JointPoint3D] = [:]
        for (key, position) in Self.joints(stance).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let (c, s) = (cos(yaw + stance.turn), sin(yaw + stance.turn))
            var x = position.x * c + position.z * s + stance.offset.0
            if isMirrored { x = -x }
            let wild = hidden.contains(key) ? 0.05 : 0
            let error = SIMD2(noise.normal(), noise.normal()) * (jitter + wild)
            let at = place + (SIMD2(x, position.y + stance.offset.1) + error) * scale
            let confidence: Float = hidden.contains(key) ? 0.1 : 0.95
            points[key] = JointPoint(key, location: CGPoint(x: at.x / aspectRatio, y: at.y), confidence: confidence)
            // The model's guess of depth errs more than what it sees.
            let depth = position.z * c - position.x * s + noise.normal() * 3 * jitter
            let real = 1.75 * SIMD3(x + error.x, position.y + error.y, depth)
            space[key] = JointPoint3D(key, position: SIMD3<Float>(real), confidence: confidence)
        }
        return Pose(from: points, keypoints3D: space, id: nil, confidence: 1)
    }

    private static func joints(_ stance: Stance) -> [JointKey: SIMD3<Double>] {
        var joints: [JointKey: SIMD3<Double>] = [:]
        let thigh = stance.squat * 1.5
        let shank = stance.squat * 0.55
        let hipHeight = 0.04 + 0.246 * cos(shank) + 0.245 * cos(thigh)
        let hipDepth = 0.246 * sin(shank) - 0.245 * sin(thigh)
        let lean = stance.lean + stance.squat * 0.6
        let trunk = SIMD3(0, cos(lean), sin(lean))
        let middle = SIMD3(0, hipHeight * cos(stance.legOut), hipDepth)
        let neck = middle + trunk * 0.288
        joints[.nose] = neck + trunk * 0.1 + SIMD3(0, 0, 0.06)
        for side in [-1.0, 1.0] {
            let isLeft = side > 0
            func pick(_ pair: (Double, Double)) -> Double { isLeft ? pair.0 : pair.1 }
            let shoulder = neck + SIMD3(0.1 * side, 0, 0)
            let (forward, out, bend) = (pick(stance.armForward), pick(stance.armOut), pick(stance.elbow))
            let elbow = shoulder + direction(forward, out, side) * 0.186
            let wrist = elbow + direction(forward + bend, out, side) * 0.146
            let hip = middle + SIMD3(0.06 * side, 0, 0)
            var knee = SIMD3(0.06 * side, 0.04 + 0.246 * cos(shank), 0.246 * sin(shank))
            var ankle = SIMD3(0.06 * side, 0.04, 0)
            if stance.squat == 0 {
                let (swing, fold) = (pick(stance.legForward), pick(stance.knee))
                knee = hip + direction(swing, stance.legOut, side) * 0.245
                ankle = knee + direction(swing - fold, stance.legOut, side) * 0.246
            }
            joints[isLeft ? .leftShoulder : .rightShoulder] = shoulder
            joints[isLeft ? .leftElbow : .rightElbow] = elbow
            joints[isLeft ? .leftWrist : .rightWrist] = wrist
            joints[isLeft ? .leftHip : .rightHip] = hip
            joints[isLeft ? .leftKnee : .rightKnee] = knee
            joints[isLeft ? .leftAnkle : .rightAnkle] = ankle
        }
        return joints
    }

    /// Down, swung forward and then opened sideways.
    private static func direction(_ forward: Double, _ out: Double, _ side: Double) -> SIMD3<Double> {
        SIMD3(sin(out) * side, -cos(forward) * cos(out), sin(forward) * cos(out))
    }
}

/// Random numbers that are the same in every run.
struct Noise {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(UInt64(1) << 53)
    }

    mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + uniform() }
    }
}
