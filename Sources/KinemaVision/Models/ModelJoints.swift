import Foundation
package import KinemaCore

/// The joints of a model in the order of its outputs: a published set, or a list of names.
package struct ModelJoints: Sendable, Hashable, Codable {
    package enum Set: String, Sendable, Hashable, Codable, CaseIterable {
        /// COCO's 17 joints (Lin et al. 2014).
        case coco17
        /// Halpe's 26: COCO's with head, neck, hip and feet (Fang et al. 2022).
        case halpe26
        /// COCO-WholeBody's 133: COCO's with feet, face and hands (Jin et al. 2020).
        case wholebody133
        /// OpenPose's 25 (Cao et al. 2019).
        case body25
    }

    package let set: Set?
    /// The joints by their index in the outputs; nil for those that Kinema has no name for.
    package let keys: [JointKey?]

    package init(set: Set) {
        self.set = set
        keys = set.keys
    }

    /// The joints of a list of names, in Vision's or COCO's spelling (`leftShoulder`, `left_shoulder`).
    package init(names: [String]) {
        set = nil
        keys = names.map(Self.key)
    }

    static func usual(count: Int) -> ModelJoints? {
        Set.allCases.first { $0.keys.count == count }.map(ModelJoints.init)
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let name = try? value.decode(String.self) {
            guard let set = Set(rawValue: name) else {
                throw decoder.refusal(
                    "takes \(Set.allCases.map(\.rawValue).joined(separator: ", ")) or a list of names")
            }
            self.init(set: set)
            return
        }
        let names = try value.decode([String].self)
        guard (1...300).contains(names.count), names.allSatisfy({ $0.utf8.count <= 64 }) else {
            throw decoder.refusal("takes 1 to 300 names of at most 64 characters")
        }
        self.init(names: names)
        let known = keys.compactMap(\.self)
        guard known.count >= 4 else { throw decoder.refusal("names fewer than four joints that Kinema knows") }
        guard Swift.Set(known).count == known.count else { throw decoder.refusal("names a joint twice") }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if let set { try value.encode(set.rawValue) } else { try value.encode(keys.map { $0?.rawValue ?? "" }) }
    }

    /// A joint's key from its name in camel case or with underscores.
    private static func key(_ name: String) -> JointKey? {
        let words = name.split { $0 == "_" || $0 == " " || $0 == "-" }.map(String.init)
        let joined =
            words.count < 2
            ? name : words[0].lowercased() + words.dropFirst().map { $0.lowercased().capitalized }.joined()
        let other = ["leftBigToe": "leftFootTip", "rightBigToe": "rightFootTip", "hip": "root", "pelvis": "root"]
        let key = JointKey(rawValue: other[joined] ?? joined)
        return BodySkeleton.joints.contains(key) ? key : nil
    }
}

extension ModelJoints.Set {
    var keys: [JointKey?] {
        switch self {
        case .coco17: PoseNetSkeleton.joints
        case .halpe26:
            // Head, neck and hip come after COCO's; then big toes, small toes and heels.
            PoseNetSkeleton.joints + [nil, .neck, .root, .leftFootTip, .rightFootTip, nil, nil, .leftHeel, .rightHeel]
        case .body25:
            [
                .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist, .root,
                .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye, .rightEar,
                .leftEar, .leftFootTip, nil, .leftHeel, .rightFootTip, nil, .rightHeel,
            ]
        case .wholebody133: Self.wholeBody
        }
    }

    /// COCO's joints, six of the feet, 68 of the face (23 on), 21 of the left hand (91 on), 21 of the right (112 on).
    private static let wholeBody: [JointKey?] = {
        var keys = PoseNetSkeleton.joints + [JointKey?](repeating: nil, count: 116)
        let named: [Int: JointKey] = [
            17: .leftFootTip, 19: .leftHeel, 20: .rightFootTip, 22: .rightHeel,
            // The corners of eyes and mouth: 36, 39, 42, 45, 48 and 54 of the 68.
            59: .rightEyeOuter, 62: .rightEyeInner, 65: .leftEyeInner, 68: .leftEyeOuter, 71: .rightMouth,
            77: .leftMouth,
            // The knuckles of thumb, index finger and little finger: 2, 5 and 17 of the 21.
            93: .leftThumb, 96: .leftIndexFinger, 108: .leftLittleFinger,
            114: .rightThumb, 117: .rightIndexFinger, 129: .rightLittleFinger,
        ]
        for (index, key) in named { keys[index] = key }
        return keys
    }()
}
