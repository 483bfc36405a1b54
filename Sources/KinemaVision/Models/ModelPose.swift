import Foundation
import KinemaCore

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
