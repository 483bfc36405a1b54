import Foundation
public import KinemaCore

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

/// Builds poses from PoseNet's maps, as Apple's sample app does, with its neighbour check mended.
///
/// Between cells the maps are mixed as Google's own decoder does it, so that joints lie between cells too.
public struct PoseBuilder: Sendable {
    /// The model's maps.
    let output: PoseNetOutput
    /// Thresholds and distances.
    let configuration: PoseBuilderConfiguration

    /// Prepares building. Throws `.invalidArgument` when the configuration makes no sense.
    public init(output: PoseNetOutput, configuration: PoseBuilderConfiguration = .init()) throws(KinemaError) {
        try configuration.validate()
        self.output = output
        self.configuration = configuration
    }

    /// The one person in the picture, normalised, origin at the lower left: every joint where it is likeliest.
    ///
    /// There is always a pose; its confidence, the mean over all joints, tells whether to believe it.
    public var pose: Pose { singlePose().pose(inputSize: output.modelInputSize) }

    /// Everyone in the picture, the surest first, normalised, origin at the lower left.
    public var poses: [Pose] { multiplePoses().map { $0.pose(inputSize: output.modelInputSize) } }

    /// Who is found by the algorithm that the configuration names; nobody when no joint is valid.
    func decode() -> [DecodedPose] {
        switch configuration.algorithm {
        case .single: [singlePose()].filter { $0.joints.contains { $0?.isValid == true } }
        case .multiple: multiplePoses()
        }
    }

    /// Each joint at its map's highest cell.
    func singlePose() -> DecodedPose {
        var pose = DecodedPose()
        for index in PoseNetSkeleton.joints.indices {
            pose.joints[index] = joint(index, near: output.position(of: highestCell(of: index)))
        }
        pose.confidence = confidence(of: pose, besides: [])
        return pose
    }

    /// The first of the highest cells; the top left one where nothing is above zero.
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

    /// The joint that the offsets lead to from a position; nil when they lead off the grid.
    func joint(_ index: Int, near start: SIMD2<Double>) -> DecodedPose.Joint? {
        var position = start
        // The last offset gives the position of what the steps before it came near.
        for _ in 0...configuration.adjacentJointOffsetRefinementSteps {
            guard output.cell(at: position) != nil else { return nil }
            position += output.offset(index, at: position)
        }
        guard output.cell(at: position) != nil else { return nil }
        let confidence = output.confidence(index, at: position)
        guard confidence.isFinite else { return nil }
        return DecodedPose.Joint(
            position: position, confidence: confidence,
            isValid: Double(confidence) >= configuration.jointConfidenceThreshold)
    }

    /// The mean over all joints of a pose's valid ones, without those that another pose has already.
    func confidence(of pose: DecodedPose, besides others: [DecodedPose]) -> Float {
        let own = PoseNetSkeleton.joints.indices.compactMap { index -> Float? in
            guard let joint = pose.validJoint(index), !isTaken(index, at: joint.position, by: others) else {
                return nil
            }
            return joint.confidence
        }
        return own.reduce(0, +) / Float(PoseNetSkeleton.joints.count)
    }

    /// Whether one of the poses has the same joint there.
    func isTaken(_ index: Int, at position: SIMD2<Double>, by poses: [DecodedPose]) -> Bool {
        poses.contains { pose in
            guard let joint = pose.validJoint(index) else { return false }
            return (joint.position - position).length <= configuration.matchingJointDistance
        }
    }
}

/// Building everyone's pose: from a likely joint along the edges to the others.
extension PoseBuilder {
    /// A joint from which a pose may be built.
    struct Root: Equatable {
        var joint: Int
        var cell: PoseNetOutput.Cell
        var confidence: Float
    }

    /// Everyone, the surest first.
    func multiplePoses() -> [DecodedPose] {
        var found: [DecodedPose] = []
        for root in candidateRoots() {
            guard found.count < configuration.maxPoseCount else { break }
            guard let start = joint(root.joint, near: output.position(of: root.cell)), start.isValid,
                !isTaken(root.joint, at: start.position, by: found)
            else { continue }
            var pose = assemble(from: root.joint, start)
            pose.confidence = confidence(of: pose, besides: found)
            if Double(pose.confidence) >= configuration.poseConfidenceThreshold { found.append(pose) }
        }
        return found.sorted { $0.confidence > $1.confidence }
    }

    /// All joints that are likely, and likeliest in their surroundings; the likeliest first.
    func candidateRoots() -> [Root] {
        var roots: [Root] = []
        for y in 0..<output.gridHeight {
            for x in 0..<output.gridWidth {
                for joint in PoseNetSkeleton.joints.indices {
                    let cell = PoseNetOutput.Cell(x: x, y: y)
                    let confidence = output.confidence(joint, at: cell)
                    guard Double(confidence) >= configuration.jointConfidenceThreshold,
                        confidence >= greatestNeighbour(of: joint, around: cell)
                    else { continue }
                    roots.append(Root(joint: joint, cell: cell, confidence: confidence))
                }
            }
        }
        // Equals stay in the order of the picture, so that the same maps always give the same poses.
        return roots.enumerated().sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }
            .map(\.element)
    }

    /// The highest value around a cell. Only the cell itself is left out; the sample leaves out its row and column.
    private func greatestNeighbour(of joint: Int, around cell: PoseNetOutput.Cell) -> Float {
        let radius = min(configuration.localSearchRadius, max(output.gridWidth, output.gridHeight))
        var greatest: Float = 0
        for y in max(0, cell.y - radius)...min(output.gridHeight - 1, cell.y + radius) {
            for x in max(0, cell.x - radius)...min(output.gridWidth - 1, cell.x + radius)
            where x != cell.x || y != cell.y {
                greatest = max(greatest, output.confidence(joint, at: .init(x: x, y: y)))
            }
        }
        return greatest
    }

    /// The joints that can be reached from one, nearest first; only valid ones lead on.
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
