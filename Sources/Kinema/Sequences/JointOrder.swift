import Foundation
import KinemaCore
import KinemaMotion
import KinemaVision

enum JointOrder: CaseIterable {
    /// MediaPipe's 33 points (BlazePose).
    case blazePose33
    /// AlphaPose's Halpe with 26 joints: COCO's, then head, neck, middle of the hips and feet.
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
    /// Human3.6M's 17 joints; known only to tell them from COCO's.
    case human36M17
    /// The Kinect v2's 25 joints, as NTU RGB+D has them; known only to tell them from BODY_25's.
    case kinect25
    /// COCO's 17 joints and the neck; known only to tell them from OpenPose's.
    case cocoNeck18

    /// The order that is read of a subject with this many joints.
    init?(joints: Int, of subject: ActionSubject) {
        let order = Self.allCases.first { $0.isRead && $0.count == joints && ($0 == .hand21) == (subject == .hand) }
        guard let order else { return nil }
        self = order
    }

    private var isRead: Bool { ![.human36M17, .kinect25, .cocoNeck18].contains(self) }

    var rivals: [JointOrder] { Self.allCases.filter { !$0.isRead && $0.count == count } }

    /// The numbers of joints that a network's window may have.
    static let counts = [33, 25, 21, 18, 17]

    /// The supported numbers of joints, for messages.
    static func known(of subject: ActionSubject) -> String { subject == .hand ? "21" : "33, 26, 25, 18 or 17" }

    /// Whose order it is, for messages.
    var owner: String {
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
    var keys: [JointKey?] { Self.table[self] ?? [] }

    private static let table: [JointOrder: [JointKey?]] = {
        let halpe =
            COCOExport.joints.map(Optional.init) + [
                nil, .neck, .root, .leftFootTip, .rightFootTip, .leftFootTip, .rightFootTip, .leftHeel, .rightHeel,
            ]
        let feet: [JointKey?] = [
            .leftFootTip, .leftFootTip, .leftHeel, .rightFootTip, .rightFootTip, .rightHeel,
        ]
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
    fileprivate var middles: [(key: JointKey, between: (Int, Int))] {
        switch self {
        case .blazePose33: BlazePoseSkeleton.middles
        case .openPose18: [(.root, (8, 11))]
        case .coco17, .wholeBody133, .cocoNeck18: [(.neck, (5, 6)), (.root, (11, 12))]
        case .body25, .hand21, .halpe26, .halpe136, .human36M17, .kinect25: []
        }
    }

    var count: Int { keys.count }
}

/// The joints of a frame of bare numbers: x, y (downwards, as in pictures) and confidence of each.
struct JointRow {
    var order: JointOrder
    var points: [SIMD3<Float>]
    /// Whether the third numbers were found in the file, where they may be depths.
    var hasThird = true

    var isNobody: Bool {
        points.allSatisfy { point in (0..<3).allSatisfy { point[$0] == 0 || point[$0].isNaN } }
    }

    private func middle(_ pair: (Int, Int)) -> SIMD3<Float> {
        let (left, right) = (points[pair.0], points[pair.1])
        var middle = (left + right) / 2
        middle.z = left.z < right.z ? left.z : right.z
        return middle
    }

    /// The place and confidence of a joint that the order has or that lies between two it has; nil for others.
    private func joint(_ key: JointKey) -> SIMD3<Float>? {
        if let index = order.keys.firstIndex(of: key) { return points[index] }
        return order.middles.first { $0.key == key }.map { middle($0.between) }
    }

    /// Joints for a sequence: x, y upwards and confidence of each; `width` is how many units of y one of x is.
    func joints(_ keys: [JointKey], width: Float) -> [Float] {
        keys.flatMap { key -> [Float] in
            let joint = joint(key) ?? .zero
            return [joint.x * width, -joint.y, joint.z]
        }
    }

    /// The pose in a picture of this size, with the joints that were seen; nil when nobody was.
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
