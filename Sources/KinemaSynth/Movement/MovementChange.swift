/// Known deviations of a movement from its usual form, largest at the far end.
package struct MovementChange: Sendable {
    package enum Amount: String, CaseIterable, Sendable {
        /// The trunk's further lean forward and the turn of the left knee inward, degrees.
        case lean, knee
        /// The share by which the right side goes less far.
        case uneven
        /// The share of the range, and the seconds of a repetition.
        case depth, seconds
    }

    package var amounts: [Amount: Double] = [:]

    package init() {}

    func apply(to posture: inout Posture, of movement: Movement, depth: Double, body: Body) {
        if let uneven = amounts[.uneven] {
            posture.right = movement.posture(depth: (1 - uneven) * depth, body: body).right
        }
        posture.lean += degrees(amounts[.lean] ?? 0) * depth
        let turned = degrees(amounts[.knee] ?? 0) * depth, pole = posture.left.kneePole
        // The pole's x points outward.
        posture.left.kneePole.x = pole.x * cosine(turned) - pole.z * sine(turned)
        posture.left.kneePole.z = pole.z * cosine(turned) + pole.x * sine(turned)
    }
}
