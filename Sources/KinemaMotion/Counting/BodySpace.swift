import Foundation
import KinemaCore

/// The thirteen joints of `BodyJoints` in space, from the hips' middle, in torso lengths: x to the right, y up and z
/// towards the camera.
struct BodySpace {
    var x = SIMD16<Float>()
    var y = SIMD16<Float>()
    var z = SIMD16<Float>()
    /// How far each joint can be trusted, 0...1.
    var trust = SIMD16<Float>()

    init() {}

    /// Without landmarks in space nothing is trusted.
    init(_ pose: Pose) {
        guard !pose.keypoints3D.isEmpty else { return }
        for (index, key) in BodyJoints.keys.enumerated() {
            guard let joint = pose.keypoints3D[key] else { continue }
            (x[index], y[index], z[index]) = (joint.position.x, joint.position.y, joint.position.z)
            trust[index] = joint.confidence
        }
        let (hips, shoulders) = (middle(BodyJoints.hips), middle(BodyJoints.shoulders))
        let torso = shoulders - hips
        let length = (torso * torso).sum().squareRoot()
        guard length > 0 else {
            trust = .zero
            return
        }
        (x, y, z) = ((x - hips.x) / length, (y - hips.y) / length, (z - hips.z) / length)
    }

    private func middle(_ pair: (Int, Int)) -> SIMD3<Float> {
        SIMD3(x[pair.0] + x[pair.1], y[pair.0] + y[pair.1], z[pair.0] + z[pair.1]) / 2
    }

    /// Comes nearer to another body by a share (0...1) of the way.
    mutating func blend(_ other: BodySpace, share: Float) {
        x += (other.x - x) * share
        y += (other.y - y) * share
        z += (other.z - z) * share
        trust += (other.trust - trust) * share
    }

    /// The joints as the camera sees them.
    var points: [SIMD2<Float>] {
        BodyJoints.keys.indices.map { SIMD2(x[$0], y[$0]) }
    }

    /// The same body with the names of left and right exchanged.
    var exchanged: BodySpace {
        var other = self
        for (left, right) in BodyJoints.pairs {
            for (from, to) in [(left, right), (right, left)] {
                (other.x[to], other.y[to], other.z[to]) = (x[from], y[from], z[from])
                other.trust[to] = trust[from]
            }
        }
        return other
    }

    /// The body turned by a rotation.
    func turned(_ rotation: Rotation) -> BodySpace {
        var other = self
        other.x = x * rotation.rows.0.x + y * rotation.rows.0.y + z * rotation.rows.0.z
        other.y = x * rotation.rows.1.x + y * rotation.rows.1.y + z * rotation.rows.1.z
        other.z = x * rotation.rows.2.x + y * rotation.rows.2.y + z * rotation.rows.2.z
        return other
    }

    /// How far two bodies are apart, joint by joint: the root mean square, torso lengths; infinite when nothing is known.
    func distance(to other: BodySpace) -> Float {
        let weight = pointwiseMin(trust, other.trust)
        let total = weight.sum()
        guard total > 3 else { return .infinity }
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return (((dx * dx + dy * dy + dz * dz) * weight).sum() / total).squareRoot()
    }
}
