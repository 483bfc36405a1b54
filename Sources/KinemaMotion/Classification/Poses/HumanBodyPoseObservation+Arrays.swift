public import KinemaCore

extension HumanBodyPoseObservation {
    /// The joints as numbers of shape [1, 3, 18] in OpenPose's order: x, y (origin at the lower left) and confidence; 0
    /// where one is missing.
    ///
    /// Sixty of them one after the other are the window that an action classifier takes.
    public func keypointsMultiArray() throws -> ShapedArray<Double> { pose.keypointsArray() }

    /// The same as `keypointsMultiArray()`, by the name of Vision's Swift API.
    public var keypoints: ShapedArray<Double> {
        get throws { try keypointsMultiArray() }
    }
}

extension ShapedArray {
    /// Arrays one after the other along the first dimension: frames of shape [1, 3, 18] become a window [n, 3, 18].
    ///
    /// Throws `invalidArgument` when there is none or their other dimensions differ.
    public init(concatenating arrays: [ShapedArray<Scalar>]) throws {
        guard let first = arrays.first, !first.shape.isEmpty,
            arrays.allSatisfy({ $0.shape.dropFirst() == first.shape.dropFirst() })
        else {
            throw KinemaError(.invalidArgument, "arrays to concatenate need the same shape but for the first number")
        }
        let rows = arrays.reduce(0) { $0 + $1.shape[0] }
        self.init(scalars: arrays.flatMap(\.scalars), shape: [rows] + first.shape.dropFirst())
    }
}
