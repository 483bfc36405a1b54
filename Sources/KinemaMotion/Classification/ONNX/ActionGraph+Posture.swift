extension ActionGraph {
    /// The features of the posture; 1 x features.
    func compared(_ body: Value, _ bank: PostureBank) -> Value {
        let series = postureSeries(body)
        let early = series.slice(axis: 2, from: 0, to: length - 1)
        let changes = (series.slice(axis: 2, from: 1, to: length) - early).magnitude
        let parts = statistics(series) + [changes.mean(axis: 2)]
        let row = onnx.concatenate(parts, axis: 1).reshape([1, PostureBank.inputs])
        let scaled = bounded(row, centre: bank.centre, factor: bank.factor, PostureBank.clip)
        let pairs = PostureBank.pairs
        let values = scaled.reshape([1, FeatureBank.statistics, PostureSeries.channels]) * PostureBank.scale
        let height = ((values * values).sum(axis: 1) * -0.5).apply("Exp")
        let ones = [Float](repeating: 1, count: PostureSeries.channels)
        let one = onnx.constant(ones, shape: [1, 1, PostureSeries.channels])
        let product = values.gather(pairs.map(\.0), axis: 1) * values.gather(pairs.map(\.1), axis: 1)
        let weights = onnx.constant(pairs.map(PostureBank.weight), shape: [1, pairs.count, 1])
        let terms = onnx.concatenate([one, values, product * weights], axis: 1)
        return (terms * height).reshape([1, PostureBank.count])
    }

    /// The series of the posture, in the order of `PostureSeries`; 1 x channels x frames.
    private func postureSeries(_ body: Value) -> Value {
        let half = onnx.scalar(0.5)
        let (right, left) = (
            angles(body, PostureSeries.pairs.map(\.right)), angles(body, PostureSeries.pairs.map(\.left))
        )
        let mean = (right + left) * half
        let difference = (right - left).magnitude
        let points = PostureSeries.points
        let middles = (body.gather(points.map(\.0), axis: 2) + body.gather(points.map(\.1), axis: 2)) * half
        let along = between(middles, PostureSeries.segments)
        let length = norm(along) + PostureSeries.smallest
        let up = part(along, 1) / length
        let across = part(along, 0).magnitude / length
        let wrists = part(between(body, [(7, 4)]), 1).magnitude
        let spreads = norm(between(body, PostureSeries.spreads))
        let parts =
            [interleaved(mean, difference, PostureSeries.pairs.count)]
            + [interleaved(up, across, PostureSeries.segments.count), sags(middles), wrists, spreads]
        return onnx.concatenate(parts, axis: 2).transpose([1, 2, 0]).reshape([1, PostureSeries.channels, self.length])
    }

    /// Interleaves two lists of channels; frames x 1 x channels.
    private func interleaved(_ first: Value, _ second: Value, _ count: Int) -> Value {
        let pairs = [first, second].map { $0.reshape([length, 1, count, 1]) }
        return onnx.concatenate(pairs, axis: 3).reshape([length, 1, 2 * count])
    }

    /// The x (0) or y (1) of vectors.
    private func part(_ vectors: Value, _ axis: Int) -> Value { vectors.slice(axis: 1, from: axis, to: axis + 1) }

    private func between(_ points: Value, _ ends: [(Int, Int)]) -> Value {
        points.gather(ends.map(\.1), axis: 2) - points.gather(ends.map(\.0), axis: 2)
    }

    private func angles(_ body: Value, _ triples: [PostureSeries.Triple]) -> Value {
        let first = between(body, triples.map { ($0.1, $0.0) })
        let second = between(body, triples.map { ($0.1, $0.2) })
        let product = (first * second).sum(axis: 1)
        let lengths = norm(first) * norm(second)
        return (product / (lengths + PostureSeries.smallest)).clipped(to: -1...1).apply("Acos")
    }

    /// The height of points above the line from shoulders to ankles; frames x 1 x points.
    private func sags(_ middles: Value) -> Value {
        let line = between(middles, [(0, 3)])
        let off = between(middles, PostureSeries.sags.map { (0, $0) })
        let (lineX, lineY) = (part(line, 0), part(line, 1))
        let cross = lineX * part(off, 1) - lineY * part(off, 0)
        let length = norm(line) + PostureSeries.smallest
        return cross / length / length * lineX.apply("Sign")
    }
}
