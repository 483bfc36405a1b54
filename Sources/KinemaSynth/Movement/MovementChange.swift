/// A known deviation of a movement from its usual form, largest at the far end.
package struct MovementChange: Sendable {
    /// The further forward lean of the trunk, and the turn of the left knee inward, in radians.
    package var lean = 0.0, kneeIn = 0.0
    /// The share by which the right side goes less far.
    package var uneven = 0.0

    package init() {}

    /// Sets an amount by its name: degrees for `lean` and `knee`, a share for `uneven`; false for other names.
    package mutating func set(_ name: some StringProtocol, to value: Double) -> Bool {
        switch name {
        case "lean": lean = degrees(value)
        case "knee": kneeIn = degrees(value)
        case "uneven": uneven = value
        default: return false
        }
        return true
    }

    func apply(to posture: inout Posture, of movement: Movement, depth: Double, body: Body) {
        if uneven > 0 { posture.right = movement.posture(depth: (1 - uneven) * depth, body: body).right }
        posture.lean += lean * depth
        let turned = kneeIn * depth, pole = posture.left.kneePole
        // The pole's x points outward.
        posture.left.kneePole.x = pole.x * cosine(turned) - pole.z * sine(turned)
        posture.left.kneePole.z = pole.z * cosine(turned) + pole.x * sine(turned)
    }
}
