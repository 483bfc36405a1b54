import KinemaCore

enum JointNames {
    /// The joint of a name in any spelling: LEFT_HIP, leftHip, left_hip, LHip and l_hip are the same; nil if it is not
    /// a joint.
    static func joint(_ name: some StringProtocol) -> JointKey? { known[String(name.lowercased().filter(\.isLetter))] }

    private static let known: [String: JointKey] = {
        var names: [String: JointKey] = [
            "nose": .nose, "neck": .neck, "root": .root, "hip": .root, "chip": .root, "midhip": .root, "pelvis": .root,
            "hipcenter": .root, "mouthleft": .leftMouth, "mouthright": .rightMouth,
        ]
        let sides: [(names: [String], left: JointKey, right: JointKey)] = [
            (["eye"], .leftEye, .rightEye), (["ear"], .leftEar, .rightEar), (["mouth"], .leftMouth, .rightMouth),
            (["eyeinner"], .leftEyeInner, .rightEyeInner), (["eyeouter"], .leftEyeOuter, .rightEyeOuter),
            (["shoulder"], .leftShoulder, .rightShoulder), (["elbow"], .leftElbow, .rightElbow),
            (["wrist"], .leftWrist, .rightWrist), (["hip"], .leftHip, .rightHip), (["knee"], .leftKnee, .rightKnee),
            (["ankle"], .leftAnkle, .rightAnkle), (["heel"], .leftHeel, .rightHeel),
            (["foottip", "footindex", "bigtoe", "toe"], .leftFootTip, .rightFootTip),
            (["pinky", "littlefinger"], .leftLittleFinger, .rightLittleFinger),
            (["index", "indexfinger"], .leftIndexFinger, .rightIndexFinger), (["thumb"], .leftThumb, .rightThumb),
        ]
        for side in sides {
            for name in side.names {
                for left in ["left", "l"] { names[left + name] = side.left }
                for right in ["right", "r"] { names[right + name] = side.right }
            }
        }
        return names
    }()
}
