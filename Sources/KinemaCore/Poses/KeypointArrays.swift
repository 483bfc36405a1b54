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
    /// Whether the joint was found: with a confidence of at least 0.1, the joint threshold of Apple's samples.
    public var isValid: Bool { confidence >= 0.1 }
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

extension HumanBodyPoseObservation {
    /// The joints as an array of shape [1, 3, 18] in OpenPose's order: x, y (origin at the lower left) and confidence;
    /// 0 for a missing joint.
    ///
    /// Sixty of these arrays, concatenated, are the window that an action classifier takes.
    public func keypointsMultiArray() throws -> ShapedArray<Double> { pose.keypointsArray() }

    /// The same as `keypointsMultiArray()`, under the name in Vision's Swift API.
    public var keypoints: ShapedArray<Double> {
        get throws { try keypointsMultiArray() }
    }
}

extension ShapedArray {
    /// Concatenates arrays along the first dimension: frames of shape [1, 3, 18] become a window [n, 3, 18].
    ///
    /// Throws `invalidArgument` for no arrays and for arrays that differ in another dimension.
    public init(concatenating arrays: [ShapedArray<Scalar>]) throws {
        guard let first = arrays.first, !first.shape.isEmpty,
            arrays.allSatisfy({ $0.shape.dropFirst() == first.shape.dropFirst() })
        else {
            throw KinemaError(
                .invalidArgument, "the arrays to concatenate differ in shape; only the first dimension may differ")
        }
        let rows = arrays.reduce(0) { $0 + $1.shape[0] }
        self.init(scalars: arrays.flatMap(\.scalars), shape: [rows] + first.shape.dropFirst())
    }
}
