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
        let others = ["foottip": ["footindex", "bigtoe", "toe"], "littlefinger": ["pinky"], "indexfinger": ["index"]]
        for key in BodySkeleton.joints where key.rawValue.hasPrefix("left") {
            let own = key.rawValue.dropFirst(4).lowercased()
            for name in [own] + (others[own] ?? []) {
                for left in ["left", "l"] { names[left + name] = key }
                for right in ["right", "r"] { names[right + name] = key.mirrored }
            }
        }
        return names
    }()
}
