package import KinemaCore

package enum Skeleton {
    /// A straight line between two joints; the thickness is relative to a limb.
    package struct Bone {
        package let from, to: JointKey
        let thickness: Double
    }

    /// A dot at a joint; the size is relative to a limb's joint.
    struct Dot {
        let key: JointKey
        let size: Double
    }

    /// The 12 segments that Vision's samples draw, plus head and feet, in drawing order.
    static let bones = segments + head + feet
    static let dots = dots(BodySkeleton.limbs, size: 1) + dots(face, size: 0.6) + dots(footDots, size: 0.6)

    package static let segments = bones(
        [
            (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
            (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist), (.rightHip, .rightKnee),
            (.rightKnee, .rightAnkle), (.leftShoulder, .rightShoulder), (.leftShoulder, .leftHip),
            (.rightShoulder, .rightHip), (.leftHip, .rightHip),
        ], thickness: 1)

    private static let head = bones(
        [
            (.neck, .nose), (.nose, .leftEye), (.leftEye, .leftEar), (.nose, .rightEye), (.rightEye, .rightEar),
        ], thickness: 0.6)

    private static let feet = bones(
        [
            (.leftAnkle, .leftHeel), (.leftHeel, .leftFootTip), (.leftAnkle, .leftFootTip),
            (.rightAnkle, .rightHeel), (.rightHeel, .rightFootTip), (.rightAnkle, .rightFootTip),
        ], thickness: 0.6)

    static let face: [JointKey] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
    private static let footDots: [JointKey] = [.leftHeel, .rightHeel, .leftFootTip, .rightFootTip]

    private static func bones(_ pairs: [(JointKey, JointKey)], thickness: Double) -> [Bone] {
        pairs.map { Bone(from: $0.0, to: $0.1, thickness: thickness) }
    }

    private static func dots(_ keys: [JointKey], size: Double) -> [Dot] {
        keys.map { Dot(key: $0, size: size) }
    }
}
