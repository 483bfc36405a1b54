import Foundation
public import KinemaCore
public import KinemaMedia

/// Builds poses from PoseNet's maps like Apple's sample, with a corrected neighbour check.
///
/// Maps are read by bilinear interpolation and positions end at the grid's edge, as in Google's decoder.
public struct PoseBuilder: Sendable {
    let output: PoseNetOutput
    let configuration: PoseBuilderConfiguration
    private var imageSize: CGSize?

    /// Creates a builder; throws `.invalidArgument` when the configuration is invalid.
    public init(output: PoseNetOutput, configuration: PoseBuilderConfiguration = .init()) throws(KinemaError) {
        try configuration.validate()
        (self.output, self.configuration) = (output, configuration)
    }

    /// Creates a builder whose poses carry the image size; throws `.invalidArgument` when the configuration is invalid.
    public init(
        output: PoseNetOutput, configuration: PoseBuilderConfiguration = .init(), inputImage: Bitmap
    ) throws(KinemaError) {
        try self.init(output: output, configuration: configuration)
        imageSize = CGSize(width: inputImage.width, height: inputImage.height)
    }

    /// Creates a builder whose poses carry the frame size; throws `.invalidArgument` when the configuration is invalid.
    public init(
        output: PoseNetOutput, configuration: PoseBuilderConfiguration = .init(), inputImage: VideoFrame
    ) throws(KinemaError) {
        try self.init(output: output, configuration: configuration)
        imageSize = CGSize(width: inputImage.width, height: inputImage.height)
    }

    /// The pose of a single person, always present; normalised, origin at the lower left.
    public var pose: Pose { singlePose().pose(inputSize: output.modelInputSize, imageSize: imageSize) }

    /// The poses of all people, highest confidence first; normalised, origin at the lower left.
    public var poses: [Pose] {
        multiplePoses().map { $0.pose(inputSize: output.modelInputSize, imageSize: imageSize) }
    }

    func decode() -> [DecodedPose] {
        switch configuration.algorithm {
        case .single: [singlePose()].filter { $0.joints.contains { $0?.isValid == true } }
        case .multiple: multiplePoses()
        }
    }

    /// The pose with each joint at the most likely cell of its map.
    func singlePose() -> DecodedPose {
        var pose = DecodedPose()
        for index in PoseNetSkeleton.joints.indices {
            pose.joints[index] = joint(index, near: output.position(of: highestCell(of: index)))
        }
        pose.confidence = confidence(of: pose, besides: [])
        return pose
    }

    /// The most likely cell of a joint; the top left one if all values are 0.
    private func highestCell(of joint: Int) -> PoseNetOutput.Cell {
        var best = PoseNetOutput.Cell(x: 0, y: 0)
        var highest: Float = 0
        for y in 0..<output.gridHeight {
            for x in 0..<output.gridWidth {
                let confidence = output.confidence(joint, at: .init(x: x, y: y))
                if confidence > highest { (highest, best) = (confidence, .init(x: x, y: y)) }
            }
        }
        return best
    }

    /// Refines a joint's position by following the offsets on the grid; nil if the maps hold NaN there.
    func joint(_ index: Int, near start: SIMD2<Double>, rounds: Int? = nil) -> DecodedPose.Joint? {
        guard var position = output.onGrid(start) else { return nil }
        for _ in 0..<(rounds ?? configuration.adjacentJointOffsetRefinementSteps + 2) {
            guard let next = output.onGrid(position + output.offset(index, at: position)) else { return nil }
            position = next
        }
        let confidence = output.confidence(index, at: position)
        guard confidence.isFinite else { return nil }
        return DecodedPose.Joint(
            position: position, confidence: confidence,
            isValid: Double(confidence) >= configuration.jointConfidenceThreshold)
    }

    /// A pose's mean confidence over all joints; invalid joints and those of another pose count as 0.
    func confidence(of pose: DecodedPose, besides others: [DecodedPose]) -> Float {
        let own = PoseNetSkeleton.joints.indices.compactMap { index -> Float? in
            guard let joint = pose.validJoint(index), !isTaken(index, at: joint.position, by: others) else {
                return nil
            }
            return joint.confidence
        }
        return own.reduce(0, +) / Float(PoseNetSkeleton.joints.count)
    }

    /// Whether one of the poses has the same joint at a position.
    func isTaken(_ index: Int, at position: SIMD2<Double>, by poses: [DecodedPose]) -> Bool {
        poses.contains { pose in
            guard let joint = pose.validJoint(index) else { return false }
            return (joint.position - position).length <= configuration.matchingJointDistance
        }
    }
}

// MARK: - Several people
extension PoseBuilder {
    struct Root: Equatable {
        var joint: Int
        var cell: PoseNetOutput.Cell
        var confidence: Float
    }

    func multiplePoses() -> [DecodedPose] {
        var found: [DecodedPose] = []
        for root in candidateRoots() {
            guard found.count < configuration.maxPoseCount else { break }
            // Google's decoder moves a root once and its neighbours five times; the results differ by up to 10 pixels.
            // Which joint is the root depends on how the picture was scaled, so two rounds are a compromise.
            guard let start = joint(root.joint, near: output.position(of: root.cell), rounds: 2), start.isValid,
                !isTaken(root.joint, at: start.position, by: found)
            else { continue }
            var pose = assemble(from: root.joint, start)
            pose.confidence = confidence(of: pose, besides: found)
            if Double(pose.confidence) >= configuration.poseConfidenceThreshold { found.append(pose) }
        }
        return found.sorted { $0.confidence > $1.confidence }
    }

    /// All joints whose confidence is above the threshold and a local maximum, highest first.
    func candidateRoots() -> [Root] {
        var roots: [Root] = []
        for y in 0..<output.gridHeight {
            for x in 0..<output.gridWidth {
                for joint in PoseNetSkeleton.joints.indices {
                    let cell = PoseNetOutput.Cell(x: x, y: y)
                    let confidence = output.confidence(joint, at: cell)
                    guard Double(confidence) >= configuration.jointConfidenceThreshold,
                        confidence >= neighbourMaximum(of: joint, around: cell)
                    else { continue }
                    roots.append(Root(joint: joint, cell: cell, confidence: confidence))
                }
            }
        }
        // The order is stable, which gives the same poses for the same maps.
        return roots.sorted { $0.confidence > $1.confidence }
    }

    /// The highest value around a cell, without the cell itself; the sample wrongly omits its whole row and column.
    private func neighbourMaximum(of joint: Int, around cell: PoseNetOutput.Cell) -> Float {
        let radius = min(configuration.localSearchRadius, max(output.gridWidth, output.gridHeight))
        var maximum: Float = 0
        for y in max(0, cell.y - radius)...min(output.gridHeight - 1, cell.y + radius) {
            for x in max(0, cell.x - radius)...min(output.gridWidth - 1, cell.x + radius)
            where x != cell.x || y != cell.y {
                maximum = max(maximum, output.confidence(joint, at: .init(x: x, y: y)))
            }
        }
        return maximum
    }

    /// Builds a pose by a breadth-first search along the edges from a root; only valid joints lead to others.
    private func assemble(from root: Int, _ start: DecodedPose.Joint) -> DecodedPose {
        var pose = DecodedPose()
        pose.joints[root] = start
        var reached = [(index: root, joint: start)]
        var next = 0
        while next < reached.count {
            let source = reached[next]
            next += 1
            for step in PoseNetSkeleton.steps[source.index] where pose.validJoint(step.target) == nil {
                let position = source.joint.position
                let target = joint(step.target, near: position + output.displacement(step, at: position))
                pose.joints[step.target] = target
                if let target, target.isValid { reached.append((step.target, target)) }
            }
        }
        return pose
    }
}

/// One person decoded from PoseNet's maps, in pixels of the model's input with the origin at the top left.
struct DecodedPose: Sendable, Equatable {
    struct Joint: Sendable, Equatable {
        var position: SIMD2<Double>
        var confidence: Float
        var isValid: Bool
    }

    /// The joints in PoseNet's order; nil for joints that were not reached.
    var joints = [Joint?](repeating: nil, count: PoseNetSkeleton.joints.count)
    /// The mean confidence over all joints, with 0 for invalid ones.
    var confidence: Float = 0

    func validJoint(_ index: Int) -> Joint? { joints[index].flatMap { $0.isValid ? $0 : nil } }

    /// The pose normalised to the picture, origin at the lower left. Invalid joints have the confidence 0; neck and
    /// root are the midpoints of shoulders and hips.
    func pose(inputSize: CGSize, imageSize: CGSize? = nil) -> Pose {
        var keypoints: [JointKey: JointPoint] = [:]
        func add(_ key: JointKey, _ position: SIMD2<Double>, _ confidence: Float) {
            let location = CGPoint(x: position.x / inputSize.width, y: 1 - position.y / inputSize.height)
            keypoints[key] = JointPoint(key, location: location, confidence: confidence)
        }
        func certainty(of joint: Joint) -> Float { joint.isValid ? joint.confidence : 0 }
        for case (let key, let joint?) in zip(PoseNetSkeleton.joints, joints) {
            add(key, joint.position, certainty(of: joint))
        }
        for (key, (a, b)) in PoseNetSkeleton.middles {
            guard let a = joints[a], let b = joints[b] else { continue }
            add(key, (a.position + b.position) / 2, min(certainty(of: a), certainty(of: b)))
        }
        var pose = Pose(from: keypoints, keypoints3D: [:], id: nil, confidence: confidence)
        pose.imageSize = imageSize
        return pose
    }
}

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
