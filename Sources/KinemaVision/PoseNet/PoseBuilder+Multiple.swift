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
