internal import KinemaCore

extension SynthScene {
    /// Points on everyone's outline over the whole timeline, to place a camera by; walks in and out are left out.
    static func outline(of people: [Person]) -> [Vector] {
        people.flatMap { person in
            let performance = person.performance
            return performance.segments.flatMap { segment -> [Vector] in
                if case .walk = segment.action { return [] }
                // The blend from the action before is over by the first sample.
                let steps = 8
                return (1...steps).flatMap { step in
                    let time = segment.start + (segment.end - segment.start) * Double(step) / Double(steps)
                    return outline(of: performance.armature(at: time), body: performance.body)
                }
            }
        }
    }

    private static func outline(of armature: Armature, body: Body) -> [Vector] {
        let h = body.height
        return [
            armature.headCenter + armature.head.y * (0.09 * h),
            armature[.leftIndexFinger] + armature.leftHand * (0.06 * h),
            armature[.rightIndexFinger] + armature.rightHand * (0.06 * h), armature[.leftElbow], armature[.rightElbow],
            armature[.leftFootTip] + armature.leftFoot.z * (0.03 * h) - Vector.up * (0.02 * h),
            armature[.rightFootTip] + armature.rightFoot.z * (0.03 * h) - Vector.up * (0.02 * h),
            armature[.leftHeel], armature[.rightHeel], armature[.leftKnee], armature[.rightKnee], armature.root,
        ]
    }

    /// A camera that holds everyone in view from a direction.
    static func camera(
        on people: [Person], view: SynthCamera.View, settings: Settings, looseness: Double = 1.05, turn: Double = 0,
        rise: Double = 0, shake: Double = 0
    ) -> SynthCamera {
        let direction = view.direction
        return SynthCamera.framing(
            outline(of: people), azimuth: direction.azimuth + turn, elevation: direction.elevation + rise,
            looseness: looseness, margin: 0.04 + shake, width: settings.width, height: settings.height, shake: shake)
    }
}
