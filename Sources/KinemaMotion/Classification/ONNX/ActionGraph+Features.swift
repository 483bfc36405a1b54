import KinemaCore

/// The features of movement, as `FeatureBank` makes them.
extension ActionGraph {
    /// Positions and distances; 1 x channels x frames.
    mutating func series(_ body: Value) -> Value {
        let positions = onnx.reshape(onnx.transpose(body, [2, 1, 0]), [2 * joints, length])
        let links = model.subject.links
        let between = onnx.node(
            "Sub", [onnx.gather(body, links.map(\.0), axis: 2), onnx.gather(body, links.map(\.1), axis: 2)])
        let distances = onnx.reshape(onnx.transpose(norm(between), [2, 1, 0]), [links.count, length])
        return onnx.reshape(onnx.concatenate([positions, distances], axis: 0), [1, model.bank.channels, length])
    }

    /// The features of the bank; 1 x features.
    mutating func features(_ series: Value) -> Value {
        let last = onnx.slice(series, axis: 2, from: length - 1, to: length)
        let early = onnx.slice(series, axis: 2, from: 0, to: length - 1)
        let late = onnx.slice(series, axis: 2, from: 1, to: length)
        let steps = onnx.node("Sub", [late, early])
        let lastStep = onnx.node("Sub", [last, onnx.slice(series, axis: 2, from: length - 2, to: length - 1)])
        let changes = onnx.concatenate([steps, lastStep], axis: 2)
        // Units of one kind and dilation are one convolution; afterwards they stand in the order of the bank again.
        let units = model.bank.units
        let kinds = Dictionary(grouping: units.indices) { [units[$0].isOfDifferences ? 1 : 0, units[$0].dilation] }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        let outputs = kinds.map { kind, members in
            convolution(kind[0] == 1 ? changes : series, members.map { units[$0] }, dilation: kind[1])
        }
        let order = kinds.flatMap(\.value)
        let places = units.indices.map { order.firstIndex(of: $0) ?? 0 }
        let pooled = pooled(onnx.gather(onnx.concatenate(outputs, axis: 1), places, axis: 1))
        return onnx.concatenate([pooled, statistics(series, changes)], axis: 1)
    }

    mutating func convolution(_ series: Value, _ units: [ConvolutionUnit], dilation: Int) -> Value {
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
        let padded = onnx.padEdges(series, axis: 2, rank: 3, by: dilation * (taps / 2))
        return onnx.node(
            "Conv", [padded, onnx.constant(weights, shape: [units.count, model.bank.channels, taps])],
            [("dilations", .integers([dilation]))])
    }

    /// Share above the bias, mean height above it, mean position and longest run; 1 x four per unit.
    mutating func pooled(_ output: Value) -> Value {
        let units = model.bank.units.count
        let whole = onnx.scalar(Float(length))
        let above = onnx.node("Sub", [output, onnx.constant(model.bank.units.map(\.bias), shape: [1, units, 1])])
        let isAbove = onnx.number(onnx.node("Greater", [above, onnx.scalar(0)]))
        let count = onnx.sum(isAbove, axis: 2)
        let atLeastOne = onnx.node("Max", [count, onnx.scalar(1)])
        let share = onnx.node("Div", [count, whole])
        let height = onnx.node("Div", [onnx.sum(onnx.node("Relu", [above]), axis: 2), atLeastOne])
        let frames = onnx.constant((0..<length).map(Float.init), shape: [1, 1, length])
        let middle = onnx.node(
            "Div",
            [onnx.node("Div", [onnx.sum(onnx.node("Mul", [isAbove, frames]), axis: 2), atLeastOne]), whole])
        let position = onnx.node(
            "Where",
            [onnx.node("Greater", [count, onnx.scalar(0)]), middle, onnx.scalar(-1 / Float(length))])
        let run = onnx.node("Div", [longestRun(isAbove, units), whole])
        return onnx.reshape(
            onnx.concatenate([share, height, position, run], axis: 2), [1, units * FeatureBank.poolings])
    }

    /// The longest run of ones; 1 x units x 1. A run ends at each frame, as long ago as the last zero.
    mutating func longestRun(_ isAbove: Value, _ units: Int) -> Value {
        let numbers = onnx.constant((1...length).map(Float.init), shape: [1, 1, length])
        let zeros = onnx.node("Mul", [onnx.node("Sub", [onnx.scalar(1), isAbove]), numbers])
        let triangle = (0..<length).flatMap { row in (0..<length).map { $0 <= row ? Float(1) : 0 } }
        let table = onnx.node(
            "Mul",
            [onnx.reshape(zeros, [units, 1, length]), onnx.constant(triangle, shape: [1, length, length])])
        let last = onnx.reshape(onnx.maximum(table, axis: 2), [1, units, length])
        return onnx.maximum(onnx.node("Sub", [numbers, last]), axis: 2)
    }

    /// Median, deviation, 10th and 90th percentile and mean absolute change; 1 x five per channel.
    mutating func statistics(_ series: Value, _ changes: Value) -> Value {
        let parts = statistics(series) + [onnx.mean(onnx.node("Abs", [changes]), axis: 2)]
        return onnx.reshape(onnx.concatenate(parts, axis: 2), [1, model.bank.channels * FeatureBank.statistics])
    }

    mutating func statistics(_ series: Value) -> [Value] {
        let ordered = onnx.largest(length, of: series, axis: 2)
        let off = onnx.node("Sub", [series, onnx.mean(series, axis: 2)])
        let deviation = onnx.node("Sqrt", [onnx.mean(onnx.node("Mul", [off, off]), axis: 2)])
        // The places in ascending order, counted from the other end.
        let places = [length / 2, length / 10, length - 1 - length / 10].map { length - 1 - $0 }
        let values = places.map { onnx.slice(ordered, axis: 2, from: $0, to: $0 + 1) }
        return [values[0], deviation, values[1], values[2]]
    }

    mutating func standardised(_ features: Value, _ ridge: RidgeClassifier) -> Value {
        bounded(features, centre: ridge.centre, factor: ridge.factor, RidgeClassifier.clip)
    }

    mutating func bounded(_ values: Value, centre: [Float], factor: [Float], _ limit: Float) -> Value {
        let off = onnx.node("Sub", [values, onnx.constant(centre, shape: [1, centre.count])])
        let scaled = onnx.node("Mul", [off, onnx.constant(factor, shape: [1, factor.count])])
        return onnx.node("Clip", [scaled, onnx.constant([-limit], shape: []), onnx.constant([limit], shape: [])])
    }

    mutating func linear(_ features: Value, _ ridge: RidgeClassifier) -> Value {
        let weights = onnx.constant(ridge.weights.flatMap(\.self), shape: [ridge.weights.count, ridge.centre.count])
        let bias = onnx.constant(ridge.bias, shape: [ridge.bias.count])
        return onnx.node("Gemm", [features, weights, bias], [("transB", .integer(1))])
    }
}
