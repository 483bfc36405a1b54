import KinemaCore

/// A body in space seen from its own right side: x ahead of it, y up, whatever way it faces the camera.
struct SideView {
    /// How far the body is turned to the side: 0 for one that faces the camera or turns its back, 1 for one seen exactly
    /// from a side.
    let sideways: Double
    private let joints: [JointKey: SIMD3<Double>]
    private let ahead: SIMD3<Double>
    private let up: SIMD3<Double>

    /// Takes joints with x to the picture's right, y up, z towards the camera; nil without both hips and shoulders,
    /// and for somebody who lies on the side, whose front has no level.
    init?(_ joints: [JointKey: SIMD3<Double>]) {
        guard let leftHip = joints[.leftHip], let rightHip = joints[.rightHip],
            let leftShoulder = joints[.leftShoulder], let rightShoulder = joints[.rightShoulder]
        else { return nil }
        let across = (rightHip - leftHip) + (rightShoulder - leftShoulder)
        let length = (across * across).sum().squareRoot()
        guard length > 1e-6 else { return nil }
        let right = across / length
        // What is left of "up" once the part along the body's own left and right is taken out.
        let upright = SIMD3(0, 1, 0) - right * right.y
        let height = (upright * upright).sum().squareRoot()
        // Below that (right.y above 0.98) the body lies on its side.
        guard height > 0.2 else { return nil }
        self.joints = joints
        sideways = abs(right.z)
        up = upright / height
        ahead = SIMD3(
            up.y * right.z - up.z * right.y, up.z * right.x - up.x * right.z, up.x * right.y - up.y * right.x)
    }

    /// Where a joint lies; nil when it is missing.
    func place(_ key: JointKey) -> SIMD2<Double>? {
        joints[key].map { SIMD2(($0 * ahead).sum(), ($0 * up).sum()) }
    }
}
