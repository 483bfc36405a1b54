package import KinemaMotion
import Foundation
package import KinemaCore

enum JointNames {
    /// The joint of a name in any spelling: LEFT_HIP, leftHip, left_hip, LHip, l_hip, hip_left and hipL are the same;
    /// nil if it is not a joint. A subject before a colon is ignored, and Vision's own names, Plug-in Gait's and MPII's
    /// are known.
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
            // The side may come last; after an abbreviation it would be ambiguous: HEE and L are HEEL.
            for name in [own] + (others[own] ?? []) {
                for left in ["left", "l"] { names[name + left] = key }
                for right in ["right", "r"] { names[name + right] = key.mirrored }
            }
        }
        return names
    }()
}

package enum JointOrder: CaseIterable {
    /// MediaPipe's 33 points (BlazePose).
    case blazePose33
    /// AlphaPose's Halpe with 26 joints: COCO's, then head, neck, midpoint of the hips and feet.
    case halpe26
    /// OpenPose's BODY_25.
    case body25
    /// OpenPose's COCO model with 18 joints.
    case openPose18
    /// COCO's own 17 joints, which lack the neck.
    case coco17
    /// A hand's 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
    case hand21
    /// COCO's joints and then 6 of the feet, 68 of the face and 42 of the hands.
    case wholeBody133
    /// Halpe's 26 joints, then 68 of the face and 42 of the hands.
    case halpe136
    /// Human3.6M's 17 joints; known only to distinguish them from COCO's.
    case human36M17
    /// The Kinect v2's 25 joints, as NTU RGB+D has them; known only to distinguish them from BODY_25's.
    case kinect25
    /// COCO's 17 joints and the neck; known only to distinguish them from OpenPose's.
    case cocoNeck18

    package init?(joints: Int, of subject: ActionSubject) {
        let order = Self.allCases.first { $0.isRead && $0.count == joints && ($0 == .hand21) == (subject == .hand) }
        guard let order else { return nil }
        self = order
    }

    private var isRead: Bool { ![.human36M17, .kinect25, .cocoNeck18].contains(self) }

    var rivals: [JointOrder] { Self.allCases.filter { !$0.isRead && $0.count == count } }

    /// The numbers of joints that a network's window may have.
    package static let counts = [33, 25, 21, 18, 17]

    package static func known(of subject: ActionSubject) -> String { subject == .hand ? "21" : "33, 26, 25, 18 or 17" }

    package var owner: String {
        switch self {
        case .blazePose33: "MediaPipe's"
        case .halpe26, .halpe136: "Halpe's"
        case .body25: "BODY_25's"
        case .openPose18: "OpenPose's"
        case .coco17: "COCO's"
        case .hand21: "a hand's"
        case .wholeBody133: "COCO-WholeBody's"
        case .human36M17: "Human3.6M's"
        case .kinect25: "the Kinect's"
        case .cocoNeck18: "COCO's with the neck last"
        }
    }

    /// The joints in this order, nil for points that Kinema has no joint for; some orders have each tip of a foot twice.
    package var keys: [JointKey?] { Self.table[self] ?? [] }

    private static let table: [JointOrder: [JointKey?]] = {
        let halpe =
            COCOExport.joints.map(Optional.init) + [
                nil, .neck, .root, .leftFootTip, .rightFootTip, .leftFootTip, .rightFootTip, .leftHeel, .rightHeel,
            ]
        let feet: [JointKey?] = [.leftFootTip, .leftFootTip, .leftHeel, .rightFootTip, .rightFootTip, .rightHeel]
        let faceAndHands = [JointKey?](repeating: nil, count: 110)
        return [
            .blazePose33: BlazePoseSkeleton.joints, .body25: OpenPoseExport.joints, .openPose18: Pose.arrayJoints,
            .coco17: COCOExport.joints, .hand21: HandSkeleton.joints, .halpe26: halpe,
            .wholeBody133: COCOExport.joints.map(Optional.init) + feet + faceAndHands, .halpe136: halpe + faceAndHands,
            .human36M17: [
                .root, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, nil, .neck, .nose, nil,
                .leftShoulder, .leftElbow, .leftWrist, .rightShoulder, .rightElbow, .rightWrist,
            ],
            .kinect25: [
                .root, nil, .neck, .nose, .leftShoulder, .leftElbow, .leftWrist, nil, .rightShoulder, .rightElbow,
                .rightWrist, nil, .leftHip, .leftKnee, .leftAnkle, .leftFootTip, .rightHip, .rightKnee, .rightAnkle,
                .rightFootTip, nil, nil, nil, nil, nil,
            ],
            .cocoNeck18: COCOExport.joints + [.neck],
        ]
    }()

    /// The joints that are not in the order but lie halfway between two that are.
    var middles: [(key: JointKey, between: (Int, Int))] {
        switch self {
        case .blazePose33: BlazePoseSkeleton.middles
        case .openPose18: [(.root, (8, 11))]
        case .coco17, .wholeBody133, .cocoNeck18: [(.neck, (5, 6)), (.root, (11, 12))]
        case .body25, .hand21, .halpe26, .halpe136, .human36M17, .kinect25: []
        }
    }

    package var count: Int { keys.count }
}

/// The joints of a frame of bare numbers: x, y (downwards, as in pictures) and confidence of each.
struct FileJoints {
    var order: JointOrder
    var points: [SIMD3<Float>]
    /// Whether the third numbers come from the file; they may then be depths.
    var hasThird = true

    private func middle(_ pair: (Int, Int)) -> SIMD3<Float> {
        let (left, right) = (points[pair.0], points[pair.1])
        var middle = (left + right) / 2
        middle.z = left.z < right.z ? left.z : right.z
        return middle
    }

    /// The position and confidence of a joint that is in the order or between two that are; nil for others.
    private func joint(_ key: JointKey) -> SIMD3<Float>? {
        if let index = order.keys.firstIndex(of: key) { return points[index] }
        return order.middles.first { $0.key == key }.map { middle($0.between) }
    }

    /// Joints for a sequence: x, y upwards and confidence of each; `width` is the length of x = 1 in units of y.
    func joints(_ keys: [JointKey], width: Float) -> [Float] {
        keys.flatMap { key -> [Float] in
            let joint = joint(key) ?? .zero
            return [joint.x * width, -joint.y, joint.z]
        }
    }

    /// The pose in a picture of this size, with the joints that were seen; nil if there are none.
    func pose(width: Float, height: Float) -> Pose? {
        var joints: [JointKey: JointPoint] = Dictionary(minimumCapacity: 40)
        func add(_ key: JointKey, _ joint: SIMD3<Float>) {
            guard joint.z > 0, joint.x.isFinite, joint.y.isFinite, joints[key] == nil else { return }
            let location = CGPoint(x: Double(joint.x / width), y: 1 - Double(joint.y / height))
            joints[key] = JointPoint(key, location: location, confidence: min(1, joint.z))
        }
        for (index, key) in order.keys.enumerated() { if let key { add(key, points[index]) } }
        for (key, pair) in order.middles { add(key, middle(pair)) }
        return joints.isEmpty ? nil : Pose(from: joints, keypoints3D: [:], id: 1, confidence: 1)
    }
}
