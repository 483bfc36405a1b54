import Foundation
public import KinemaCore

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
