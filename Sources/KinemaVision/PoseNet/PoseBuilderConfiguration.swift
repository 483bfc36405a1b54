import KinemaCore

/// The parameters for building poses, as in Apple's PoseNet sample; distances are in pixels of the model's input.
public struct PoseBuilderConfiguration: Sendable, Hashable, Codable {
    /// The decoding algorithms.
    public enum Algorithm: Int, Sendable, Hashable, CaseIterable, Codable {
        /// Detects one person from the most likely position of each joint.
        case single
        /// Detects all people by following the skeleton from the most likely joints.
        case multiple
    }

    /// The decoding algorithm.
    public var algorithm = Algorithm.multiple
    /// The minimum confidence of a valid joint, 0...1; other joints do not count and lead to no further joints.
    public var jointConfidenceThreshold = 0.1
    /// The minimum confidence of a pose, 0...1; used by `multiple` only.
    public var poseConfidenceThreshold = 0.5
    /// The maximum distance of two joints that count as the same joint.
    public var matchingJointDistance = 40.0
    /// The radius in cells within which a root joint must have the highest confidence.
    public var localSearchRadius = 3
    /// The maximum number of poses.
    public var maxPoseCount = 15
    /// The number of steps that move a joint by the offset at its position, before two more: the default thus takes
    /// the five of Google's decoder, whose interpolated offsets lead to a joint more slowly than the sample's cells.
    public var adjacentJointOffsetRefinementSteps = 3

    /// Creates a configuration with the sample's defaults.
    public init() {}

    /// Throws `.invalidArgument` for values out of range.
    func validate() throws(KinemaError) {
        func invalid(_ text: String) -> KinemaError { KinemaError(.invalidArgument, text) }
        guard (0...1).contains(jointConfidenceThreshold) else {
            throw invalid("jointConfidenceThreshold must be between 0 and 1")
        }
        guard (0...1).contains(poseConfidenceThreshold) else {
            throw invalid("poseConfidenceThreshold must be between 0 and 1")
        }
        guard matchingJointDistance.isFinite, matchingJointDistance >= 0 else {
            throw invalid("matchingJointDistance must be 0 pixels or more")
        }
        guard localSearchRadius >= 0 else { throw invalid("localSearchRadius must be 0 cells or more") }
        guard maxPoseCount >= 1 else { throw invalid("maxPoseCount must be 1 or more") }
        // Offsets converge long before the 100th step.
        guard (0...100).contains(adjacentJointOffsetRefinementSteps) else {
            throw invalid("adjacentJointOffsetRefinementSteps must be between 0 and 100")
        }
    }
}
