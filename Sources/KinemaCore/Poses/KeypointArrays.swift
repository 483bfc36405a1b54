import Foundation

extension Pose {
    /// Makes a pose from a hand that one of Vision's requests found.
    public init(_ observation: HumanHandPoseObservation) throws {
        self = observation.pose
    }

    /// The joint of that name. A joint that was not found is at (0, 0) with confidence 0, so `isValid` is false.
    public subscript(joint: JointKey) -> JointPoint {
        keypoints[joint] ?? JointPoint(joint, location: .zero, confidence: 0)
    }
}

extension JointPoint {
    /// Whether the joint was found.
    public var isValid: Bool { confidence > 0 }
}

extension Joint {
    /// How many joints PoseNet finds on each person.
    public static let numberOfJoints = 17
}

extension HumanHandPoseObservation {
    /// The joints as numbers of shape [1, 3, 21] in the order of `JointName.allCases`: x, y (origin at the lower left)
    /// and confidence; 0 where a joint is missing.
    public func keypointsMultiArray() throws -> ShapedArray<Double> {
        let joints = JointName.allCases.map { pose[$0.key] }
        return ShapedArray(
            scalars: joints.map { Double($0.location.x) } + joints.map { Double($0.location.y) }
                + joints.map { Double($0.confidence) },
            shape: [1, 3, joints.count])
    }

    /// The same as `keypointsMultiArray()`, by the name of Vision's Swift API.
    public var keypoints: ShapedArray<Double> {
        get throws { try keypointsMultiArray() }
    }
}
