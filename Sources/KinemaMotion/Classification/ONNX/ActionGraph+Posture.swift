import KinemaCore

/// The features of posture, as `PostureBank` makes them.
extension ActionGraph {
    /// The features of the posture; 1 x features.
    mutating func compared(_ body: Value, _ bank: PostureBank) -> Value {
        let series = postureSeries(body)
        let early = onnx.slice(series, axis: 2, from: 0, to: length - 1)
        let changes = onnx.node("Abs", [onnx.node("Sub", [onnx.slice(series, axis: 2, from: 1, to: length), early])])
        let parts = statistics(series) + [onnx.mean(changes, axis: 2)]
        let row = onnx.reshape(onnx.concatenate(parts, axis: 1), [1, PostureBank.inputs])
        let scaled = bounded(row, centre: bank.centre, factor: bank.factor, PostureBank.clip)
        let pairs = PostureBank.pairs
        let each = onnx.reshape(scaled, [1, FeatureBank.statistics, PostureSeries.channels])
        let values = onnx.node("Mul", [each, onnx.scalar(PostureBank.scale)])
        let squares = onnx.sum(onnx.node("Mul", [values, values]), axis: 1)
        let height = onnx.node("Exp", [onnx.node("Mul", [squares, onnx.scalar(-0.5)])])
        let ones = [Float](repeating: 1, count: PostureSeries.channels)
        let one = onnx.constant(ones, shape: [1, 1, PostureSeries.channels])
        let product = onnx.node(
            "Mul", [onnx.gather(values, pairs.map(\.0), axis: 1), onnx.gather(values, pairs.map(\.1), axis: 1)])
        let weights = onnx.constant(pairs.map(PostureBank.weight), shape: [1, pairs.count, 1])
        let terms = onnx.concatenate([one, values, onnx.node("Mul", [product, weights])], axis: 1)
        return onnx.reshape(onnx.node("Mul", [terms, height]), [1, PostureBank.count])
    }

    /// The series of the posture, in the order of `PostureSeries`; 1 x channels x frames.
    mutating func postureSeries(_ body: Value) -> Value {
        let half = onnx.scalar(0.5)
        let (right, left) = (
            angles(body, PostureSeries.pairs.map(\.right)), angles(body, PostureSeries.pairs.map(\.left))
        )
        let mean = onnx.node("Mul", [onnx.node("Add", [right, left]), half])
        let difference = onnx.node("Abs", [onnx.node("Sub", [right, left])])
        let points = PostureSeries.points
        let middles = onnx.node(
            "Mul",
            [onnx.node("Add", [taken(body, points.map(\.0)), taken(body, points.map(\.1))]), half])
        let along = between(middles, PostureSeries.segments)
        let length = onnx.node("Add", [norm(along), onnx.scalar(PostureSeries.smallest)])
        let up = onnx.node("Div", [onnx.slice(along, axis: 1, from: 1, to: 2), length])
        let across = onnx.node("Div", [onnx.node("Abs", [onnx.slice(along, axis: 1, from: 0, to: 1)]), length])
        let wrists = onnx.node("Abs", [onnx.slice(between(body, [(7, 4)]), axis: 1, from: 1, to: 2)])
        let spreads = norm(between(body, PostureSeries.spreads))
        let parts =
            [interleaved(mean, difference, PostureSeries.pairs.count)]
            + [interleaved(up, across, PostureSeries.segments.count), sags(middles), wrists, spreads]
        let series = onnx.transpose(onnx.concatenate(parts, axis: 2), [1, 2, 0])
        return onnx.reshape(series, [1, PostureSeries.channels, self.length])
    }

    /// Two lists of channels as one, turn by turn; frames x 1 x channels.
    mutating func interleaved(_ first: Value, _ second: Value, _ count: Int) -> Value {
        let pairs = [first, second].map { onnx.reshape($0, [length, 1, count, 1]) }
        return onnx.reshape(onnx.concatenate(pairs, axis: 3), [length, 1, 2 * count])
    }

    mutating func taken(_ points: Value, _ places: [Int]) -> Value { onnx.gather(points, places, axis: 2) }

    /// The way from point to point.
    mutating func between(_ points: Value, _ ends: [(Int, Int)]) -> Value {
        onnx.node("Sub", [taken(points, ends.map(\.1)), taken(points, ends.map(\.0))])
    }

    mutating func angles(_ body: Value, _ triples: [PostureSeries.Triple]) -> Value {
        let first = between(body, triples.map { ($0.1, $0.0) })
        let second = between(body, triples.map { ($0.1, $0.2) })
        let product = onnx.sum(onnx.node("Mul", [first, second]), axis: 1)
        let lengths = onnx.node("Mul", [norm(first), norm(second)])
        let cosines = onnx.node("Div", [product, onnx.node("Add", [lengths, onnx.scalar(PostureSeries.smallest)])])
        return onnx.node(
            "Acos", [onnx.node("Clip", [cosines, onnx.constant([-1], shape: []), onnx.constant([1], shape: [])])])
    }

    /// How far points are above the line from shoulders to ankles; frames x 1 x points.
    mutating func sags(_ middles: Value) -> Value {
        let line = between(middles, [(0, 3)])
        let off = between(middles, PostureSeries.sags.map { (0, $0) })
        func part(_ value: Value, _ axis: Int, _ graph: inout ONNXGraph) -> Value {
            graph.slice(value, axis: 1, from: axis, to: axis + 1)
        }
        let (lineX, lineY) = (part(line, 0, &onnx), part(line, 1, &onnx))
        let cross = onnx.node(
            "Sub",
            [
                onnx.node("Mul", [lineX, part(off, 1, &onnx)]), onnx.node("Mul", [lineY, part(off, 0, &onnx)]),
            ])
        let length = onnx.node("Add", [norm(line), onnx.scalar(PostureSeries.smallest)])
        let share = onnx.node("Div", [onnx.node("Div", [cross, length]), length])
        return onnx.node("Mul", [share, onnx.node("Sign", [lineX])])
    }
}
