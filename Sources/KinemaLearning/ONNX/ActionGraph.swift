import KinemaMotion
public import Foundation
public import KinemaCore

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

/// A classifier as an ONNX model for other programs.
///
/// Its input is a window of poses as for Create ML's models; the graph handles gaps, outliers, position and size.
extension HumanActionClassifier {
    /// The name of the input, of shape 1 x frames x 3 x joints: x (normalised, times width / height), y up, and
    /// confidence; 0 for an unseen joint.
    package static let onnxInput = "poses"
    /// The name of the output, of shape 1 x classes: the probability of each class, in the order of the metadata `labels`.
    package static let onnxOutput = "labelProbabilities"

    /// The name of the output of shape 1: the distance from the training clips.
    package static let onnxStrangeness = "strangeness"
    package static let onnxProducer = "Kinema"

    /// The bytes of an ONNX model file (operators of version 13).
    ///
    /// Metadata has labels (one a line), joints, window, rate and subject. If the best probability is below
    /// `rejectionThreshold`, or `strangeness` is above `strangenessLimit`, the movement is none of the classes.
    package func onnxModel() -> Data {
        let joints = subject.joints
        let graph = ActionGraph(model: model)
        let poses = ONNXGraph.Port(
            name: Self.onnxInput, shape: [1, model.length, 3, joints.count],
            documentation: "x and y (one unit, y up) and confidence of each joint in each frame; 0 where not seen")
        let probabilities = ONNXGraph.Port(
            name: Self.onnxOutput, shape: [1, classes.count],
            documentation: "the probability of each class, in the order of the metadata labels")
        let strangeness = ONNXGraph.Port(
            name: Self.onnxStrangeness, shape: [1],
            documentation: "how unlike the training clips the movement is; none of the classes above strangenessLimit")
        graph.build(from: poses.name, to: (probabilities.name, strangeness.name))
        return Data(
            graph.onnx.model(
                named: "HumanActionClassifier", by: Self.onnxProducer,
                documentation: "An action classifier trained by Kinema.",
                inputs: [poses], outputs: [probabilities, strangeness],
                metadata: [
                    ("labels", classes.joined(separator: "\n")),
                    ("joints", joints.map(\.rawValue).joined(separator: "\n")), ("window", String(model.length)),
                    ("rate", String(model.rate)), ("subject", subject.rawValue),
                    ("rejectionThreshold", String(rejectionThreshold)),
                    ("strangenessLimit", String(model.strangeness)), ("coordinates", "heights"),
                    ("clipSharpness", String(clipSharpness)),
                ]))
    }

    /// The sharpening of the mean over a clip's windows, relative to one window.
    private var clipSharpness: Float {
        let window = model.windowCalibration.sharpness
        return window > 0 ? model.clipCalibration.sharpness / window : 1
    }

    /// Writes the model in ONNX to a file, completely or not at all. Throws `unwritableOutput`.
    public func writeONNX(to url: URL) throws(KinemaError) { try AtomicFile.write(onnxModel(), to: url) }
}
