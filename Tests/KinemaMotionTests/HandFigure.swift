import Foundation
import KinemaCore

/// A hand of rods in space, posed by a few angles and seen by a camera far away.
///
/// Lengths are shares of the hand's length (wrist to middle knuckle), after Buryanov and Kotiuk, "Proportions of hand
/// segments", Int. J. Morphology 28 (2010). x points to the thumb's side, y along the fingers, z out of the palm.
struct HandFigure {
    /// What the hand does.
    enum Posture {
        /// Thumb and index finger: 0 wide apart, 1 tips touching.
        case pinch(Double)
        case fist
        /// Fingers straight, the thumb along the index finger.
        case flat
    }

    /// The palm's direction: turns about x, y and z, radians.
    var turn = SIMD3(0.0, 0.0, 0.0)
    /// The hand's length in picture heights.
    var scale = 0.15
    /// Where the wrist is: picture heights from the lower left.
    var place = SIMD2(0.9, 0.4)
    var aspectRatio = 16.0 / 9
    /// Standard deviation of the landmarks' error, hand lengths.
    var jitter = 0.0
    /// Whether joints in metres are there too.
    var isSolid = true

    func pose(_ posture: Posture, id: Int, noise: inout Noise) -> Pose {
        var keypoints: [JointKey: JointPoint] = [:]
        var keypoints3D: [JointKey: JointPoint3D] = [:]
        for (key, joint) in zip(HandSkeleton.joints, Self.joints(posture)) {
            let seen = rotated(joint)
            let error = SIMD2(noise.normal(), noise.normal()) * jitter
            let at = place + (SIMD2(seen.x, seen.y) + error) * scale
            keypoints[key] = JointPoint(key, location: CGPoint(x: at.x / aspectRatio, y: at.y), confidence: 0.9)
            let depth = SIMD3(noise.normal(), noise.normal(), noise.normal()) * jitter
            if isSolid {
                // A hand's length is 9.5 cm.
                keypoints3D[key] = JointPoint3D(key, position: SIMD3<Float>((seen + depth) * 0.095), confidence: 0.9)
            }
        }
        return Pose(from: keypoints, keypoints3D: keypoints3D, id: id, confidence: 0.9)
    }

    /// How far the tips of thumb and index finger are apart, hand lengths.
    static func gap(_ posture: Posture) -> Double {
        let joints = joints(posture)
        return length(joints[4] - joints[8])
    }

    private static func joints(_ posture: Posture) -> [SIMD3<Double>] {
        let knuckles = [SIMD3(0.25, 0.95, 0), SIMD3(0.03, 1, 0), SIMD3(-0.17, 0.93, 0), SIMD3(-0.35, 0.82, 0)]
        let phalanges = [(0.42, 0.25, 0.2), (0.46, 0.28, 0.2), (0.43, 0.26, 0.2), (0.34, 0.2, 0.18)]
        func bends(_ finger: Int) -> (Double, Double, Double) {
            switch posture {
            // The index finger bends to meet the thumb; the others rest half bent.
            case .pinch(let closed):
                finger == 0 ? (0.15 + 0.6 * closed, 0.25 + 0.6 * closed, 0.15 + 0.3 * closed) : (0.5, 0.6, 0.3)
            case .fist: (1.4, 1.7, 1)
            case .flat: (0.05, 0.05, 0.03)
            }
        }
        let fingers = knuckles.indices.map { index -> [SIMD3<Double>] in
            let (first, second, third) = bends(index)
            var chain = [knuckles[index]]
            for (length, angle) in zip(
                [phalanges[index].0, phalanges[index].1, phalanges[index].2],
                [first, first + second, first + second + third])
            {
                chain.append(chain[chain.count - 1] + SIMD3(0, cos(angle), sin(angle)) * length)
            }
            return chain
        }
        let tip: SIMD3<Double>
        switch posture {
        case .pinch(let closed):
            // From the side of the palm to the pad of the index finger.
            let pad = SIMD3(0.04, -0.06, -0.08)
            let open = SIMD3(0.95, 0.75, 0.15) - (knuckles[0] + SIMD3(0, 0.85, 0.2))
            tip = fingers[0][3] + pad * closed + open * (1 - closed)
        // Across the bent fingers, near the index finger's tip.
        case .fist: tip = fingers[0][3] + SIMD3(0.05, 0.05, 0.15)
        case .flat: tip = SIMD3(0.42, 1.2, 0.05)
        }
        let base = SIMD3(0.28, 0.22, 0.1)
        let thumb = [0, 0.42, 0.74, 1].map { base + (tip - base) * $0 }
        return [SIMD3(0, 0, 0)] + thumb + fingers.flatMap(\.self)
    }

    private func rotated(_ point: SIMD3<Double>) -> SIMD3<Double> {
        let (cx, sx, cy, sy, cz, sz) = (cos(turn.x), sin(turn.x), cos(turn.y), sin(turn.y), cos(turn.z), sin(turn.z))
        let a = SIMD3(point.x, cx * point.y - sx * point.z, sx * point.y + cx * point.z)
        let b = SIMD3(cy * a.x + sy * a.z, a.y, cy * a.z - sy * a.x)
        return SIMD3(cz * b.x - sz * b.y, sz * b.x + cz * b.y, b.z)
    }

    private static func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
}
