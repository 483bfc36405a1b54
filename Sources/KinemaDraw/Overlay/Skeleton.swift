package import KinemaCore

/// Which joints a wireframe draws and which of them it connects.
package struct Skeleton: Sendable, Hashable {
    /// A straight line between two joints.
    package struct Bone: Sendable, Hashable {
        /// Where the bone starts.
        package let from: JointKey
        /// Where the bone ends.
        package let to: JointKey
        /// Its thickness as a share of a limb's.
        package let thickness: Double
    }

    /// A joint's mark.
    package struct Dot: Sendable, Hashable {
        /// The joint.
        package let key: JointKey
        /// Its size as a share of a limb joint's.
        package let size: Double
    }

    /// The lines, in drawing order.
    package let bones: [Bone]
    /// The dots on top of the lines.
    package let dots: [Dot]

    /// The body: the 12 segments that Vision's samples draw, and beyond them the head and the feet.
    package static let body = Skeleton(
        bones: segments + head + feet,
        dots: dots(bodyDots, size: 1) + dots(faceDots, size: 0.6) + dots(footDots, size: 0.6))

    /// The 12 segments of a body in Vision's own joints.
    package static let segments: [Bone] =
        bones(
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

    private static let bodyDots: [JointKey] = [
        .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]
    private static let faceDots: [JointKey] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
    private static let footDots: [JointKey] = [.leftHeel, .rightHeel, .leftFootTip, .rightFootTip]

    private static func bones(_ pairs: [(JointKey, JointKey)], thickness: Double) -> [Bone] {
        pairs.map { Bone(from: $0.0, to: $0.1, thickness: thickness) }
    }

    private static func dots(_ keys: [JointKey], size: Double) -> [Dot] {
        keys.map { Dot(key: $0, size: size) }
    }
}
