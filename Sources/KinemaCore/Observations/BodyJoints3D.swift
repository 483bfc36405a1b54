import Foundation

/// Vision's 17 joints in space, the body's height and the camera's place, from a pose's landmarks.
enum BodyJoints3D {
    /// From the centre of the head to its top, in lengths from the shoulders to the centre of the head. Drillis and Contini
    /// (1966): of the standing height, the top is at 1, the eyes are at 0.936 and the shoulders at 0.818.
    static let topShare = (1 - 0.936) / (0.936 - 0.818)
    /// From the sole to the ankle, as a share of the standing height (Drillis and Contini).
    private static let ankleShare: Float = 0.039
    /// The focal length of a phone's camera in lengths of the picture's longer side: 28 mm for 36 mm of film.
    private static let focalLength = 28.0 / 36

    /// A joint in metres from the root and in the picture.
    static func place(
        of name: HumanBodyPose3DObservation.JointName, in pose: Pose
    ) -> (position: SIMD3<Float>, point: CGPoint)? {
        switch name {
        case .centerShoulder: place(between: .leftShoulder, .rightShoulder, in: pose)
        case .centerHead: place(between: .leftEar, .rightEar, in: pose)
        case .spine: mix(place(of: .root, in: pose), place(of: .centerShoulder, in: pose), 0.5)
        case .topHead: mix(place(of: .centerShoulder, in: pose), place(of: .centerHead, in: pose), 1 + topShare)
        default: place(between: JointKey(rawValue: name.rawValue), JointKey(rawValue: name.rawValue), in: pose)
        }
    }

    private static func place(
        between one: JointKey, _ other: JointKey, in pose: Pose
    ) -> (position: SIMD3<Float>, point: CGPoint)? {
        guard let first = pose.keypoints3D[one], let second = pose.keypoints3D[other],
            let a = pose.keypoints[one], let b = pose.keypoints[other]
        else { return nil }
        return mix((first.position, a.location), (second.position, b.location), 0.5)
    }

    private static func mix(
        _ one: (position: SIMD3<Float>, point: CGPoint)?, _ other: (position: SIMD3<Float>, point: CGPoint)?,
        _ share: Double
    ) -> (position: SIMD3<Float>, point: CGPoint)? {
        guard let one, let other else { return nil }
        return (
            one.position + (other.position - one.position) * Float(share),
            CGPoint(
                x: one.point.x + (other.point.x - one.point.x) * share,
                y: one.point.y + (other.point.y - one.point.y) * share)
        )
    }

    /// The height of the standing body: the lengths of its bones from the soles to the top of the head.
    static func height(_ positions: [HumanBodyPose3DObservation.JointName: SIMD3<Float>]) -> Float {
        func length(_ names: HumanBodyPose3DObservation.JointName...) -> Float {
            zip(names, names.dropFirst()).reduce(0) { sum, pair in
                guard let one = positions[pair.0], let other = positions[pair.1] else { return sum }
                return sum + simd_distance(one, other)
            }
        }
        let legs = (length(.leftAnkle, .leftKnee, .leftHip) + length(.rightAnkle, .rightKnee, .rightHip)) / 2
        return (legs + length(.root, .centerShoulder, .centerHead, .topHead)) / (1 - ankleShare)
    }

    /// The camera's place in metres from the root, where the projection of the joints fits the picture best.
    static func camera(of pose: Pose, width: Int, height: Int) -> SIMD3<Float> {
        let longer = Double(max(width, height))
        let joints = pose.keypoints3D.values.compactMap {
            joint -> (weight: Double, seen: SIMD2<Double>, shift: SIMD2<Double>)? in
            guard let point = pose.keypoints[joint.key] else { return nil }
            let position = SIMD3<Double>(joint.position)
            let seen = SIMD2(
                (point.location.x - 0.5) * Double(width) / longer, (point.location.y - 0.5) * Double(height) / longer)
            // Seen · (distance - z) = focal length · (position + translation), for x and y.
            return (Double(joint.confidence), seen, -seen * position.z - focalLength * SIMD2(position.x, position.y))
        }
        let total = joints.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return .zero }
        let seen = joints.reduce(SIMD2<Double>.zero) { $0 + $1.seen * $1.weight } / total
        let shift = joints.reduce(SIMD2<Double>.zero) { $0 + $1.shift * $1.weight } / total
        let (product, square) = joints.reduce((0.0, 0.0)) { sums, joint in
            let offset = joint.seen - seen
            return (
                sums.0 + joint.weight * (offset * (joint.shift - shift)).sum(),
                sums.1 + joint.weight * (offset * offset).sum()
            )
        }
        let distance = square > 0 ? -product / square : 0
        let translation = (shift + seen * distance) / focalLength
        return SIMD3<Float>(SIMD3(-translation.x, -translation.y, distance))
    }
}
