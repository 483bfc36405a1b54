package import KinemaCore

/// A body in space seen from its own right side: x forward, y up, whichever direction it faces.
package struct SideView {
    /// The sideways turn of the body: 0 facing the camera or away from it, 1 in the exact side view.
    package let sideways: Double
    private let joints: [JointKey: SIMD3<Double>]
    private let forward: SIMD3<Double>
    private let up: SIMD3<Double>

    /// Takes joints with x to the picture's right, y up, z towards the camera. Nil without both hips and shoulders, and
    /// for a person lying on their side.
    package init?(_ joints: [JointKey: SIMD3<Double>]) {
        guard let leftHip = joints[.leftHip], let rightHip = joints[.rightHip],
            let leftShoulder = joints[.leftShoulder], let rightShoulder = joints[.rightShoulder]
        else { return nil }
        let across = (rightHip - leftHip) + (rightShoulder - leftShoulder)
        let length = (across * across).sum().squareRoot()
        guard length > 1e-6 else { return nil }
        let right = across / length
        // The part of "up" that is perpendicular to the body's left-right axis.
        let upright = SIMD3(0, 1, 0) - right * right.y
        let height = (upright * upright).sum().squareRoot()
        // Below this (right.y above 0.98) the body lies on its side.
        guard height > 0.2 else { return nil }
        self.joints = joints
        sideways = abs(right.z)
        up = upright / height
        forward = SIMD3(
            up.y * right.z - up.z * right.y, up.z * right.x - up.x * right.z, up.x * right.y - up.y * right.x)
    }

    package func position(of key: JointKey) -> SIMD2<Double>? {
        joints[key].map { SIMD2(($0 * forward).sum(), ($0 * up).sum()) }
    }
}
