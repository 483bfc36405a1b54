import Foundation
import KinemaCore
import KinemaMotion
import KinemaVision

/// The joint order of a file of bare numbers.
enum JointOrder {
    /// MediaPipe's 33 points (BlazePose).
    case blazePose33
    /// OpenPose's BODY_25.
    case body25
    /// OpenPose's COCO model with 18 joints.
    case openPose18
    /// COCO's own 17 joints, which lack the neck.
    case coco17
    /// A hand's 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
    case hand21

    /// The order of a subject with this many joints.
    init?(joints: Int, of subject: ActionSubject) {
        switch (subject, joints) {
        case (.body, 33): self = .blazePose33
        case (.body, 25): self = .body25
        case (.body, 18): self = .openPose18
        case (.body, 17): self = .coco17
        case (.hand, 21): self = .hand21
        default: return nil
        }
    }

    /// The supported numbers of joints; no two orders have the same.
    static let counts = [33, 25, 21, 18, 17]

    /// The supported numbers of joints, for messages.
    static func known(of subject: ActionSubject) -> String { subject == .hand ? "21" : "33, 25, 18 or 17" }

    /// The joints in this order; BODY_25 has each tip of a foot twice.
    var keys: [JointKey] {
        switch self {
        case .blazePose33: BlazePoseSkeleton.joints
        case .body25: OpenPoseExport.joints
        case .openPose18: Pose.arrayJoints
        case .coco17: COCOExport.joints
        case .hand21: HandSkeleton.joints
        }
    }

    /// The joints that are not in the order but lie halfway between two that are.
    fileprivate var middles: [(key: JointKey, between: (Int, Int))] {
        switch self {
        case .blazePose33: BlazePoseSkeleton.middles
        case .openPose18: [(.root, (8, 11))]
        case .coco17: [(.neck, (5, 6)), (.root, (11, 12))]
        case .body25, .hand21: []
        }
    }

    /// The number of joints in a row.
    var count: Int { keys.count }
}

/// The joints of a frame of bare numbers: x, y (downwards, as in pictures) and confidence of each.
struct JointRow {
    /// Which joints they are.
    var order: JointOrder
    /// Three numbers a joint; in BlazePose's order the third may be a depth.
    var values: [Float]

    private subscript(_ index: Int) -> SIMD3<Float> {
        SIMD3(values[index * 3], values[index * 3 + 1], values[index * 3 + 2])
    }

    private func middle(_ pair: (Int, Int)) -> SIMD3<Float> {
        let (left, right) = (self[pair.0], self[pair.1])
        var middle = (left + right) / 2
        middle.z = left.z < right.z ? left.z : right.z
        return middle
    }

    /// The place and confidence of a joint that the order has or that lies between two it has; nil for others.
    private func joint(_ key: JointKey) -> SIMD3<Float>? {
        if let index = order.keys.firstIndex(of: key) { return self[index] }
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
        for (index, key) in order.keys.enumerated() { add(key, self[index]) }
        for (key, pair) in order.middles { add(key, middle(pair)) }
        return joints.isEmpty ? nil : Pose(from: joints, keypoints3D: [:], id: 1, confidence: 1)
    }
}
