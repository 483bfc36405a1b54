import KinemaCore

enum JointNames {
    /// The joint of a name in any spelling: LEFT_HIP, leftHip, left_hip, LHip and l_hip are the same; nil if it is not
    /// a joint. A subject before a colon is ignored, and Vision's own names, Plug-in Gait's and MPII's are known.
    static func joint(_ name: some StringProtocol) -> JointKey? {
        let plain = name.lowercased().split(separator: ":").last.map { $0.filter { $0.isLetter || $0.isNumber } } ?? ""
        return known[String(plain)] ?? known[plain.filter(\.isLetter)]
    }

    /// What is between several markers of Plug-in Gait, for joints that have none themselves.
    static let between: [(key: JointKey, markers: [String])] = [
        (.leftWrist, ["LWRA", "LWRB"]), (.rightWrist, ["RWRA", "RWRB"]), (.neck, ["C7", "CLAV"]),
        (.nose, ["LFHD", "RFHD"]),
    ]

    private static let known: [String: JointKey] = {
        var names: [String: JointKey] = [
            "nose": .nose, "neck": .neck, "root": .root, "hip": .root, "chip": .root, "midhip": .root, "pelvis": .root,
            "hipcenter": .root, "mouthleft": .leftMouth, "mouthright": .rightMouth, "headjoint": .nose,
            "neckjoint": .neck, "rootjoint": .root,
        ]
        // Vision's raw values, and the abbreviations of Plug-in Gait's markers and joint centres.
        let joint = [
            "shoulder": ["shoulderjoint", "sho", "sjc"], "elbow": ["forearmjoint", "elb", "ejc"],
            "wrist": ["handjoint", "wri", "wjc"], "hip": ["uplegjoint", "hjc"], "knee": ["legjoint", "kne", "kjc"],
            "ankle": ["footjoint", "ank", "ajc"], "heel": ["hee"], "foottip": ["toe"], "eye": ["eyejoint"],
            "ear": ["earjoint"],
        ]
        let others = ["foottip": ["footindex", "bigtoe", "toe"], "littlefinger": ["pinky"], "indexfinger": ["index"]]
        for key in BodySkeleton.joints where key.rawValue.hasPrefix("left") {
            let own = key.rawValue.dropFirst(4).lowercased()
            // MPII's joints have numbers for sides, as in DeepLabCut's model of people.
            if joint[own] != nil { (names[own + "1"], names[own + "2"]) = (key.mirrored, key) }
            for name in [own] + (others[own] ?? []) + (joint[own] ?? []) {
                for left in ["left", "l"] { names[left + name] = key }
                for right in ["right", "r"] { names[right + name] = key.mirrored }
            }
        }
        return names
    }()
}
