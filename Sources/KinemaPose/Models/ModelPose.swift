import Foundation
package import KinemaCore

/// One person that a chosen model found, in pixels of the picture with the origin at the top left.
struct ModelPose: Sendable {
    private(set) var joints: [JointKey: (point: SIMD2<Double>, score: Float)]
    /// The confidence that there is a person, independent of the joints.
    var personScore: Float { didSet { measure() } }
    /// `personScore` to the power of 2/3, times the mean of COCO's joints. On COCO pictures average precision is 0.574,
    /// against 0.565 with the square root and 0.567 with the plain product.
    private(set) var confidence: Float = 0

    /// Joints below this confidence are ignored in locating a person.
    static let clearJoint: Float = 0.3

    init(_ decoded: DecodedJoints, _ keys: [JointKey?]) {
        var joints: [JointKey: (point: SIMD2<Double>, score: Float)] = [:]
        for (index, key) in keys.enumerated() where index < decoded.points.count {
            if let key { joints[key] = (decoded.points[index], decoded.scores[index]) }
        }
        self.joints = joints
        personScore = decoded.personScore
        measure()
    }

    private mutating func measure() {
        let scores = PoseNetSkeleton.joints.compactMap { joints[$0]?.score }
        confidence = scores.isEmpty ? 0 : pow(personScore, 2 / 3) * scores.reduce(0, +) / Float(scores.count)
    }

    /// The box around the clear joints; nil with fewer than four of them.
    var box: SIMD4<Double>? {
        let clear = joints.values.filter { $0.score >= Self.clearJoint }.map(\.point)
        guard clear.count >= 4 else { return nil }
        let (low, high) = clear.bounds
        return SIMD4(low.x, low.y, high.x, high.y)
    }

    /// The pose normalised to the picture; neck and root are the midpoints of shoulders and hips, if present.
    func pose(width: Int, height: Int) -> Pose {
        var keypoints: [JointKey: JointPoint] = Dictionary(minimumCapacity: joints.count + 2)
        func add(_ key: JointKey, _ point: SIMD2<Double>, _ score: Float) {
            let location = CGPoint(x: point.x / Double(width), y: 1 - point.y / Double(height))
            keypoints[key] = JointPoint(key, location: location, confidence: score)
        }
        for (key, joint) in joints { add(key, joint.point, joint.score) }
        for (key, (a, b)) in PoseNetSkeleton.middles {
            guard let a = joints[PoseNetSkeleton.joints[a]], let b = joints[PoseNetSkeleton.joints[b]] else { continue }
            add(key, (a.point + b.point) / 2, min(a.score, b.score))
        }
        return Pose(from: keypoints, keypoints3D: [:], id: nil, confidence: confidence)
    }
}

extension ModelPose {
    /// Object keypoint similarity with another reading, 0...1: COCO's measure over the joints both have.
    func similarity(to other: ModelPose) -> Double {
        let area = max(1, (extent + other.extent) / 2)
        var (total, count) = (0.0, 0.0)
        for (key, deviation) in COCOJoints.deviations {
            guard let mine = joints[key], let theirs = other.joints[key] else { continue }
            let distance = mine.point - theirs.point
            total += exp(-(distance * distance).sum() / (2 * area * 4 * deviation * deviation))
            count += 1
        }
        return count > 0 ? total / count : 0
    }

    /// The approximate area of the body in square pixels: that of the box around all joints, times 0.53 (MMPose).
    private var extent: Double {
        let points = joints.values.map(\.point)
        let (low, high) = points.bounds
        return points.isEmpty ? 0 : (high.x - low.x) * (high.y - low.y) * 0.53
    }

    /// Among readings more similar than `limit`, keeps the most confident; best first, at most `count`.
    static func suppress(_ poses: [ModelPose], limit: Double, count: Int) -> [ModelPose] {
        var kept: [ModelPose] = []
        for pose in poses.sorted(by: { $0.confidence > $1.confidence }) where kept.count < count {
            if !kept.contains(where: { $0.similarity(to: pose) > limit }) { kept.append(pose) }
        }
        return kept
    }
}

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
