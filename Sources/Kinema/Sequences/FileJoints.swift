import Foundation
import KinemaCore

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
