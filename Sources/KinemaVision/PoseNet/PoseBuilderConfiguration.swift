import KinemaCore

/// How poses are built from PoseNet's maps: names and defaults of Apple's sample app for PoseNet.
///
/// Distances are in pixels of the model's input.
public struct PoseBuilderConfiguration: Sendable, Hashable, Codable {
    /// How many people are looked for.
    public enum Algorithm: Int, Sendable, Hashable, CaseIterable, Codable {
        /// One: each joint where it is likeliest in the whole picture.
        case single
        /// Everyone: from the likeliest joints on to those beside them.
        case multiple
    }

    /// Which of the two ways of decoding a command or an extractor takes.
    public var algorithm = Algorithm.multiple
    /// Joints of less confidence are not valid: they do not count and lead to no others, 0...1.
    public var jointConfidenceThreshold = 0.1
    /// Poses of less confidence are dropped when everyone is looked for, 0...1.
    public var poseConfidenceThreshold = 0.5
    /// Two of the same joints no farther apart than this are one and the same.
    public var matchingJointDistance = 40.0
    /// A pose starts only from a joint that is the likeliest among so many cells to every side.
    public var localSearchRadius = 3
    /// The most poses that are built, the surest roots first.
    public var maxPoseCount = 15
    /// How often a joint's place is refined by the offset found there before the last offset is added.
    public var adjacentJointOffsetRefinementSteps = 3

    /// Makes a configuration with the sample's defaults.
    public init() {}

    /// Throws `.invalidArgument` for values that make no sense.
    func validate() throws(KinemaError) {
        func refuse(_ text: String) -> KinemaError { KinemaError(.invalidArgument, text) }
        guard (0...1).contains(jointConfidenceThreshold) else { throw refuse("jointConfidenceThreshold takes 0 to 1") }
        guard (0...1).contains(poseConfidenceThreshold) else { throw refuse("poseConfidenceThreshold takes 0 to 1") }
        guard matchingJointDistance.isFinite, matchingJointDistance >= 0 else {
            throw refuse("matchingJointDistance takes 0 or more pixels")
        }
        guard localSearchRadius >= 0 else { throw refuse("localSearchRadius takes 0 or more cells") }
        guard maxPoseCount >= 1 else { throw refuse("maxPoseCount takes 1 or more") }
        // Offsets have come to rest long before.
        guard (0...100).contains(adjacentJointOffsetRefinementSteps) else {
            throw refuse("adjacentJointOffsetRefinementSteps takes 0 to 100")
        }
    }
}
