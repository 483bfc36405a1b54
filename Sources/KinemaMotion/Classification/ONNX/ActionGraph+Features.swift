extension ActionGraph {
    /// The positions and distances, of shape 1 x channels x frames.
    func series(_ body: Value) -> Value {
        let positions = body.transpose([2, 1, 0]).reshape([2 * joints, length])
        let links = model.subject.links
        let between = body.gather(links.map(\.0), axis: 2) - body.gather(links.map(\.1), axis: 2)
        let distances = norm(between).transpose([2, 1, 0]).reshape([links.count, length])
        return onnx.concatenate([positions, distances], axis: 0).reshape([1, model.bank.channels, length])
    }

    /// The features of the bank; 1 x features.
    func features(_ series: Value) -> Value {
        let last = series.slice(axis: 2, from: length - 1, to: length)
        let early = series.slice(axis: 2, from: 0, to: length - 1)
        let steps = series.slice(axis: 2, from: 1, to: length) - early
        let lastStep = last - series.slice(axis: 2, from: length - 2, to: length - 1)
        let changes = onnx.concatenate([steps, lastStep], axis: 2)
        // Units of one kind and dilation form one convolution; afterwards they are put back into the bank's order.
        let units = model.bank.units
        let kinds = Dictionary(grouping: units.indices) { [units[$0].isOfDifferences ? 1 : 0, units[$0].dilation] }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        let outputs = kinds.map { kind, members in
            convolution(kind[0] == 1 ? changes : series, members.map { units[$0] }, dilation: kind[1])
        }
        let order = kinds.flatMap(\.value)
        let places = units.indices.map { order.firstIndex(of: $0) ?? 0 }
        let pooled = pooled(onnx.concatenate(outputs, axis: 1).gather(places, axis: 1))
        let parts = statistics(series) + [changes.magnitude.mean(axis: 2)]
        let statistics = onnx.concatenate(parts, axis: 2).reshape([1, model.bank.channels * FeatureBank.statistics])
        return onnx.concatenate([pooled, statistics], axis: 1)
    }

    private func convolution(_ series: Value, _ units: [ConvolutionUnit], dilation: Int) -> Value {
        let taps = ConvolutionUnit.taps
        var weights = [Float](repeating: 0, count: units.count * model.bank.channels * taps)
        for (row, unit) in units.enumerated() {
            for part in unit.channels {
                for tap in 0..<taps {
                    weights[(row * model.bank.channels + part.index) * taps + tap] +=
                        part.sign * (unit.heavy.contains(tap) ? 2 : -1)
                }
            }
        }
        return series.padEdges(axis: 2, rank: 3, by: dilation * (taps / 2)).apply(
            "Conv", onnx.constant(weights, shape: [units.count, model.bank.channels, taps]),
            with: ["dilations": .integers([dilation])])
    }

    /// Share above the bias, mean height above it, mean position and longest run; 1 x four per unit.
    private func pooled(_ output: Value) -> Value {
        let units = model.bank.units.count
        let whole = onnx.scalar(Float(length))
        let above = output - onnx.constant(model.bank.units.map(\.bias), shape: [1, units, 1])
        let isAbove = above.isGreater(than: 0).number
        let count = isAbove.sum(axis: 2)
        let atLeastOne = count.atLeast(1)
        let share = count / whole
        let height = above.apply("Relu").sum(axis: 2) / atLeastOne
        let frames = onnx.constant((0..<length).map(Float.init), shape: [1, 1, length])
        let middle = (isAbove * frames).sum(axis: 2) / atLeastOne / whole
        let position = count.isGreater(than: 0).choose(middle, else: onnx.scalar(-1 / Float(length)))
        let run = longestRun(isAbove, units) / whole
        return onnx.concatenate([share, height, position, run], axis: 2).reshape([1, units * FeatureBank.poolings])
    }

    /// The longest run of ones; 1 x units x 1. The run that ends at a frame is as long as the time since the last zero.
    private func longestRun(_ isAbove: Value, _ units: Int) -> Value {
        let numbers = onnx.constant((1...length).map(Float.init), shape: [1, 1, length])
        let zeros = (onnx.scalar(1) - isAbove) * numbers
        let triangle = (0..<length).flatMap { row in (0..<length).map { $0 <= row ? Float(1) : 0 } }
        let table = zeros.reshape([units, 1, length]) * onnx.constant(triangle, shape: [1, length, length])
        let last = table.maximum(axis: 2).reshape([1, units, length])
        return (numbers - last).maximum(axis: 2)
    }

    /// Median, deviation, 10th and 90th percentile of each channel; 1 x channels x 1 each.
    func statistics(_ series: Value) -> [Value] {
        let ordered = series.largest(length, axis: 2)
        let off = series - series.mean(axis: 2)
        let deviation = (off * off).mean(axis: 2).squareRoot
        // The ranks in ascending order, counted from the other end.
        let places = [length / 2, length / 10, length - 1 - length / 10].map { length - 1 - $0 }
        let values = places.map { ordered.slice(axis: 2, from: $0, to: $0 + 1) }
        return [values[0], deviation, values[1], values[2]]
    }

    func standardised(_ features: Value, _ ridge: RidgeClassifier) -> Value {
        bounded(features, centre: ridge.centre, factor: ridge.factor, RidgeClassifier.clip)
    }

    func bounded(_ values: Value, centre: [Float], factor: [Float], _ limit: Float) -> Value {
        let off = values - onnx.constant(centre, shape: [1, centre.count])
        return (off * onnx.constant(factor, shape: [1, factor.count])).clipped(to: -limit...limit)
    }

    func linear(_ features: Value, _ ridge: RidgeClassifier) -> Value {
        let weights = onnx.constant(ridge.weights.flatMap(\.self), shape: [ridge.weights.count, ridge.centre.count])
        let bias = onnx.constant(ridge.bias, shape: [ridge.bias.count])
        return features.apply("Gemm", weights, bias, with: ["transB": .integer(1)])
    }
}
