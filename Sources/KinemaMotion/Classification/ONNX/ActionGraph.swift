/// Builds the graph of a classifier, following the steps of `ActionModel.score` and `MotionWindow`.
struct ActionGraph {
    typealias Value = ONNXGraph.Value

    let model: ActionModel
    let onnx = ONNXGraph()
    var length: Int { model.length }
    var joints: Int { model.subject.joints.count }

    func build(from input: String, to outputs: (probabilities: String, strangeness: String)) {
        let poses = onnx.value(input).reshape([length, 3, joints])
        let isSeen = poses.slice(axis: 1, from: 2, to: 3).isAtLeast(PoseSequence.minimumConfidence).number
        let sightings = Float(MotionWindow.minimumSightings(of: length))
        let isPresent = isSeen.sum(axis: 0).isAtLeast(sightings).number
        let filled = filled(poses.slice(axis: 1, from: 0, to: 2), isSeen)
        let body = normalised(steadied(filled), isPresent)
        let features = standardised(features(series(body)), model.ridge)
        var scores = linear(features, model.ridge)
        if let posture = model.posture {
            let other = linear(standardised(compared(body, posture.bank), posture.ridge), posture.ridge)
            scores = scores * (1 - posture.share) + other * posture.share
        }
        let sharp = scores * model.windowCalibration.sharpness
        onnx.node("Softmax", [sharp], ["axis": .integer(1)], named: outputs.probabilities)
        let squares = (features * features).mean(axis: 1)
        onnx.node("Reshape", [squares, onnx.constant([1])], named: outputs.strangeness)
    }

    /// The length of vectors; frames x 1 x joints.
    func norm(_ vectors: Value) -> Value { (vectors * vectors).sum(axis: 1).squareRoot }
}

/// The window in body coordinates, as `MotionWindow` makes it.
extension ActionGraph {
    /// Fills gaps between sightings of a joint, and holds the first and last; frames x 2 x joints.
    private func filled(_ positions: Value, _ isSeen: Value) -> Value {
        let frames = onnx.constant((0..<length).map(Float.init), shape: [length, 1])
        let seen = isSeen.reshape([length, joints])
        // The last sighting at or before each frame: the highest frame number with one, from 1; 0 without any.
        let numbers = onnx.constant((1...length).map(Float.init), shape: [length, 1])
        let before = latest(seen * numbers, isForward: true) - 1
        // The next sighting, likewise counted from the end.
        let reversed = onnx.constant((1...length).reversed().map(Float.init), shape: [length, 1])
        let after = onnx.scalar(Float(length)) - latest(seen * reversed, isForward: false)
        let hasBefore = before.isAtLeast(0)
        let hasAfter = after.apply("Less", onnx.scalar(Float(length)))
        let window = 0...Float(length - 1)
        let low = hasBefore.choose(before, else: after).clipped(to: window)
        let high = hasAfter.choose(after, else: before).clipped(to: window)
        let span = (high - low).atLeast(1)
        let share = ((frames - low) / span).clipped(to: 0...1)
        let (from, to) = (gathered(positions, low), gathered(positions, high))
        return from + (to - from) * share.reshape([length, 1, joints])
    }

    /// The highest number up to each frame (or from it on); frames x joints.
    private func latest(_ numbers: Value, isForward: Bool) -> Value {
        let triangle = (0..<length).flatMap { row in
            (0..<length).map { (isForward ? $0 <= row : $0 >= row) ? Float(1) : 0 }
        }
        let mask = onnx.constant(triangle, shape: [length, length, 1])
        return (mask * numbers.reshape([1, length, joints])).maximum(axis: 1).reshape([length, joints])
    }

    /// The positions at frames, given for each frame and joint; a sum, since OpenVINO 2026.4 does not compile
    /// GatherElements.
    private func gathered(_ positions: Value, _ frames: Value) -> Value {
        let numbers = onnx.constant((0..<length).map(Float.init), shape: [1, length, 1, 1])
        let isThis = frames.reshape([length, 1, 1, joints]).apply("Equal", numbers).number
        return (isThis * positions.reshape([1, length, 2, joints])).sum(axis: 1).reshape([length, 2, joints])
    }

    /// The median over five frames.
    private func steadied(_ positions: Value) -> Value {
        let padded = positions.padEdges(axis: 0, rank: 3, by: 2)
        let shifted = (0..<5).map { padded.slice(axis: 0, from: $0, to: $0 + length).reshape([1, length, 2, joints]) }
        let ordered = onnx.concatenate(shifted, axis: 0).largest(3, axis: 0)
        return ordered.slice(axis: 0, from: 2, to: 3).reshape([length, 2, joints])
    }

    /// The value at index `count / 2` in ascending order over the frames; that axis remains with size 1.
    private func median(_ value: Value) -> Value {
        let rank = length - length / 2
        return value.largest(rank, axis: 0).slice(axis: 0, from: rank - 1, to: rank)
    }

    /// The mean of those joints that were seen; frames x 2 x 1.
    private func mean(_ positions: Value, _ isPresent: Value, of joints: [Int]) -> Value {
        let weights = isPresent.gather(joints, axis: 2)
        return (positions.gather(joints, axis: 2) * weights).sum(axis: 2) / weights.sum(axis: 2).atLeast(1)
    }

    /// Moves the centre to the origin, scales the torso to length 1, and replaces joints that were not seen.
    private func normalised(_ positions: Value, _ isPresent: Value) -> Value {
        let subject = model.subject
        let hasCentre = isPresent.gather([subject.centre], axis: 2).isGreater(than: 0.5)
        let path = hasCentre.choose(
            positions.gather([subject.centre], axis: 2),
            else: mean(positions, isPresent, of: subject.centreSubstitutes))
        let sizes = subject.measures.map { measure in
            let between = mean(positions, isPresent, of: measure.from) - mean(positions, isPresent, of: measure.to)
            let size = median(norm(between)) * measure.factor
            // No measure is available between two parts if one was not seen.
            let isMeasured = [measure.from, measure.to].map { isPresent.gather($0, axis: 2).maximum(axis: 2) }
            return size * (isMeasured[0] * isMeasured[1])
        }
        let size = onnx.concatenate(sizes, axis: 2).maximum(axis: 2)
        let body = (positions - median(path)) / size.atLeast(1e-12)
        let usual = onnx.constant(model.usual.map(\.x) + model.usual.map(\.y), shape: [1, 2, joints])
        return isPresent.isGreater(than: 0.5).choose(body, else: usual)
    }
}
