import KinemaCore

/// The window in body coordinates, as `MotionWindow` makes it.
extension ActionGraph {
    /// Fills gaps between sightings of a joint, and holds the first and last; frames x 2 x joints.
    mutating func filled(_ positions: Value, _ isSeen: Value) -> Value {
        let frames = onnx.constant((0..<length).map(Float.init), shape: [length, 1])
        let seen = onnx.reshape(isSeen, [length, joints])
        // The last sighting at or before each frame: the greatest number of one, counted from 1; 0 without any.
        let numbers = onnx.constant((1...length).map(Float.init), shape: [length, 1])
        let before = onnx.node("Sub", [latest(onnx.node("Mul", [seen, numbers]), isForward: true), onnx.scalar(1)])
        // The next one, likewise counted from the end.
        let reversed = onnx.constant((1...length).reversed().map(Float.init), shape: [length, 1])
        let after = onnx.node(
            "Sub",
            [onnx.scalar(Float(length)), latest(onnx.node("Mul", [seen, reversed]), isForward: false)])
        let hasBefore = onnx.node("GreaterOrEqual", [before, onnx.scalar(0)])
        let hasAfter = onnx.node("Less", [after, onnx.scalar(Float(length))])
        let low = within(onnx.node("Where", [hasBefore, before, after]))
        let high = within(onnx.node("Where", [hasAfter, after, before]))
        let span = onnx.node("Max", [onnx.node("Sub", [high, low]), onnx.scalar(1)])
        let share = onnx.node("Div", [onnx.node("Sub", [frames, low]), span])
        let bounded = onnx.node("Clip", [share, onnx.constant([0], shape: []), onnx.constant([1], shape: [])])
        let (from, to) = (gathered(positions, low), gathered(positions, high))
        let way = onnx.node("Mul", [onnx.node("Sub", [to, from]), onnx.reshape(bounded, [length, 1, joints])])
        return onnx.node("Add", [from, way])
    }

    /// The greatest number up to each frame (or from it on); frames x joints.
    mutating func latest(_ numbers: Value, isForward: Bool) -> Value {
        let triangle = (0..<length).flatMap { row in
            (0..<length).map { (isForward ? $0 <= row : $0 >= row) ? Float(1) : 0 }
        }
        let mask = onnx.constant(triangle, shape: [length, length, 1])
        let table = onnx.node("Mul", [mask, onnx.reshape(numbers, [1, length, joints])])
        return onnx.reshape(onnx.maximum(table, axis: 1), [length, joints])
    }

    mutating func within(_ frames: Value) -> Value {
        onnx.node(
            "Clip", [frames, onnx.constant([0], shape: []), onnx.constant([Float(length - 1)], shape: [])])
    }

    /// The positions at frames, given for each frame and joint.
    ///
    /// A sum over all frames of which one counts: OpenVINO 2026.4 does not compile GatherElements here.
    mutating func gathered(_ positions: Value, _ frames: Value) -> Value {
        let numbers = onnx.constant((0..<length).map(Float.init), shape: [1, length, 1, 1])
        let isThis = onnx.number(onnx.node("Equal", [onnx.reshape(frames, [length, 1, 1, joints]), numbers]))
        let all = onnx.node("Mul", [isThis, onnx.reshape(positions, [1, length, 2, joints])])
        return onnx.reshape(onnx.sum(all, axis: 1), [length, 2, joints])
    }

    /// The median over five frames.
    mutating func steadied(_ positions: Value) -> Value {
        let padded = onnx.padEdges(positions, axis: 0, rank: 3, by: 2)
        let shifted = (0..<5).map { offset in
            onnx.reshape(onnx.slice(padded, axis: 0, from: offset, to: offset + length), [1, length, 2, joints])
        }
        let ordered = onnx.largest(3, of: onnx.concatenate(shifted, axis: 0), axis: 0)
        return onnx.reshape(onnx.slice(ordered, axis: 0, from: 2, to: 3), [length, 2, joints])
    }

    /// The place at `count / 2` in ascending order, along an axis, which stays with size 1.
    mutating func median(_ value: Value, axis: Int) -> Value {
        let rank = length - length / 2
        return onnx.slice(onnx.largest(rank, of: value, axis: axis), axis: axis, from: rank - 1, to: rank)
    }

    /// The mean of those joints that were seen; frames x 2 x 1.
    mutating func mean(_ positions: Value, _ isPresent: Value, of joints: [Int]) -> Value {
        let weights = onnx.gather(isPresent, joints, axis: 2)
        let sum = onnx.sum(onnx.node("Mul", [onnx.gather(positions, joints, axis: 2), weights]), axis: 2)
        return onnx.node("Div", [sum, onnx.node("Max", [onnx.sum(weights, axis: 2), onnx.scalar(1)])])
    }

    /// Moves the centre to the origin, scales the torso to length 1, and replaces joints that were not seen.
    mutating func normalised(_ positions: Value, _ isPresent: Value) -> Value {
        let subject = model.subject
        let hasCentre = onnx.node(
            "Greater", [onnx.gather(isPresent, [subject.centre], axis: 2), onnx.scalar(0.5)])
        let path = onnx.node(
            "Where",
            [
                hasCentre, onnx.gather(positions, [subject.centre], axis: 2),
                mean(positions, isPresent, of: subject.centreSubstitutes),
            ])
        let sizes = subject.measures.map { measure in
            let between = onnx.node(
                "Sub", [mean(positions, isPresent, of: measure.from), mean(positions, isPresent, of: measure.to)])
            let size = onnx.node("Mul", [median(norm(between), axis: 0), onnx.scalar(measure.factor)])
            // Nothing can be measured between parts of which one was not seen.
            let isMeasured = [measure.from, measure.to].map { ends in
                onnx.maximum(onnx.gather(isPresent, ends, axis: 2), axis: 2)
            }
            return onnx.node("Mul", [size, onnx.node("Mul", isMeasured)])
        }
        let size = onnx.maximum(onnx.concatenate(sizes, axis: 2), axis: 2)
        let moved = onnx.node("Sub", [positions, median(path, axis: 0)])
        let body = onnx.node("Div", [moved, onnx.node("Max", [size, onnx.scalar(1e-12)])])
        let usual = onnx.constant(model.usual.map(\.x) + model.usual.map(\.y), shape: [1, 2, joints])
        return onnx.node("Where", [onnx.node("Greater", [isPresent, onnx.scalar(0.5)]), body, usual])
    }

    /// The length of vectors; frames x 1 x joints.
    mutating func norm(_ vectors: Value) -> Value {
        onnx.node("Sqrt", [onnx.sum(onnx.node("Mul", [vectors, vectors]), axis: 1)])
    }
}
