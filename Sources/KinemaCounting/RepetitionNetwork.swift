import Foundation

/// What the network says of a stretch of movement, at every second row.
struct NetworkReading: Sendable {
    /// Repetitions a row, and how sure it is that each row lies inside a repetition and at one's boundary, 0...1.
    let density: [Float], inside: [Float], boundary: [Float]
    /// The repetitions before each row; one more than rows.
    let total: [Float]
    /// The sums of `inside` before each row.
    private let insideSum: [Float]

    init(density: [Float], inside: [Float], boundary: [Float]) {
        (self.density, self.inside, self.boundary) = (density, inside, boundary)
        func sums(_ values: [Float]) -> [Float] {
            values.reduce(into: [0]) { sums, value in sums.append((sums.last ?? 0) + value) }
        }
        (total, insideSum) = (sums(density), sums(inside))
    }

    /// The count of the whole stretch.
    var count: Float { total.last ?? 0 }
    /// The share of the rows inside repetitions.
    var share: Float { (insideSum.last ?? 0) / Float(max(1, inside.count)) }

    /// The repetitions until a track's row.
    func count(until row: Int) -> Float { Self.between(total, row) }
    /// How many network rows until a track's row lie inside repetitions.
    func rowsInside(until row: Int) -> Float { Self.between(insideSum, row) }
    /// How sure a repetition begins or ends at a track's row.
    func boundary(at row: Int) -> Float {
        boundary.isEmpty ? 0 : boundary[min(boundary.count - 1, max(0, row / RepetitionNetwork.stride))]
    }

    private static func between(_ sums: [Float], _ row: Int) -> Float {
        let place = Float(row) / Float(RepetitionNetwork.stride)
        let low = min(sums.count - 1, max(0, Int(place)))
        let high = min(sums.count - 1, low + 1)
        return sums[low] + (sums[high] - sums[low]) * min(1, max(0, place - Float(low)))
    }
}

/// A small network that sees how like a body is to itself some time before and after, and says where it repeats.
///
/// Dilated convolutions over features of self-likeness, fitted by `script/counting network` to synthetic repetition and to the
/// counts of labelled recordings; the head of RepetitionNetwork.txt says to what.
struct RepetitionNetwork: Sendable {
    /// It reads every second row of a track.
    static let stride = 2

    private struct Layer: Sendable {
        /// How many numbers it reads and gives.
        let inputs: Int, outputs: Int
        /// Of each eight outputs, the weights by input; and their biases. Outputs are filled up with zeros.
        private let weights: [SIMD8<Float>], bias: [SIMD8<Float>]

        /// Weights by output, then input.
        init(_ weights: [Float], _ bias: [Float]) {
            let (inputs, outputs) = (weights.count / max(1, bias.count), bias.count)
            (self.inputs, self.outputs) = (inputs, outputs)
            let eights = (outputs + 7) / 8
            self.weights = (0..<eights * inputs).map { place in
                let (first, input) = (place / inputs * 8, place % inputs)
                var eight = SIMD8<Float>()
                for lane in 0..<min(8, outputs - first) { eight[lane] = weights[(first + lane) * inputs + input] }
                return eight
            }
            self.bias = (0..<eights).map { place in
                var eight = SIMD8<Float>()
                for lane in 0..<min(8, outputs - 8 * place) { eight[lane] = bias[8 * place + lane] }
                return eight
            }
        }

        /// Adds the weighted sums of rows of inputs, `shift` rows later than those of the sums.
        func add(_ rows: [Float], to sums: inout [Float], shift: Int = 0, withBias: Bool = true) {
            let count = sums.count / outputs
            for row in 0..<count {
                let source = row + shift
                let isInside = source >= 0 && source < count
                for place in bias.indices {
                    var (one, other) = (withBias ? bias[place] : SIMD8<Float>(), SIMD8<Float>())
                    if isInside {
                        let (first, weight) = (source * inputs, place * inputs)
                        var input = 0
                        while input + 1 < inputs {
                            one += weights[weight + input] * rows[first + input]
                            other += weights[weight + input + 1] * rows[first + input + 1]
                            input += 2
                        }
                        if input < inputs { one += weights[weight + input] * rows[first + input] }
                    }
                    one += other
                    for lane in 0..<min(8, outputs - 8 * place) { sums[row * outputs + 8 * place + lane] += one[lane] }
                }
            }
        }

        func applied(to rows: [Float]) -> [Float] {
            var sums = [Float](repeating: 0, count: rows.count / inputs * outputs)
            add(rows, to: &sums)
            return sums
        }
    }

    private struct Block: Sendable {
        /// One layer a tap: before, at and after a row.
        var taps: [Layer], second: Layer, dilation: Int
    }

    private let lags: Layer, pose: Layer, mix: Layer, blocks: [Block], out: Layer

    /// Nil if the text is not a file of this network's weights.
    init?(text: String) {
        let lines = text.split(separator: "\n").drop { $0.hasPrefix("#") }
        guard let data = Data(base64Encoded: lines.joined()) else { return nil }
        var bytes = ByteReader(data)
        func tensor(_ count: Int) -> [Float]? {
            guard let scale = bytes.float() else { return nil }
            let values = (0..<count).compactMap { _ in bytes.short().map { Float($0) * scale } }
            return values.count == count ? values : nil
        }
        func layer(_ outputs: Int, _ inputs: Int) -> Layer? {
            guard let weights = tensor(outputs * inputs), let bias = tensor(outputs) else { return nil }
            return Layer(weights, bias)
        }
        let (width, poses) = (48, 24)
        guard let lags = layer(width, LagFeatures.channels), let pose = layer(poses, LagFeatures.poseChannels),
            let mix = layer(width, width + poses)
        else { return nil }
        var blocks: [Block] = []
        for dilation in [1, 2, 4, 8, 16] {
            guard let all = tensor(width * width * 3), let bias = tensor(width), let second = layer(width, width) else {
                return nil
            }
            let taps = (0..<3).map { tap in
                Layer(Swift.stride(from: tap, to: all.count, by: 3).map { all[$0] }, bias)
            }
            blocks.append(Block(taps: taps, second: second, dilation: dilation))
        }
        guard let out = layer(3, width), bytes.isAtEnd else { return nil }
        (self.lags, self.pose, self.mix, self.blocks, self.out) = (lags, pose, mix, blocks, out)
    }

    /// Reads a stretch of movement.
    func reading(_ track: MovementTrack) -> NetworkReading {
        let features = LagFeatures(track)
        let count = features.lags.count / LagFeatures.channels
        let (a, b) = (Self.positive(lags.applied(to: features.lags)), Self.positive(pose.applied(to: features.pose)))
        var joined: [Float] = []
        joined.reserveCapacity(a.count + b.count)
        for row in 0..<count {
            joined += a[row * lags.outputs..<(row + 1) * lags.outputs]
            joined += b[row * pose.outputs..<(row + 1) * pose.outputs]
        }
        var state = mix.applied(to: joined)
        for block in blocks {
            let input = Self.positive(state)
            var sums = [Float](repeating: 0, count: state.count)
            for (tap, layer) in block.taps.enumerated() {
                layer.add(input, to: &sums, shift: (tap - 1) * block.dilation, withBias: tap == 1)
            }
            block.second.add(Self.positive(sums), to: &state)
        }
        let values = out.applied(to: Self.positive(state))
        func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }
        let inside = (0..<count).map { sigmoid(values[3 * $0]) }
        // The limits of the logarithm of repetitions a second with which it was fitted.
        let density = (0..<count).map { row in
            inside[row] * exp(min(2.5, max(-4, values[3 * row + 1]))) * Float(Self.stride) / Float(MovementTrack.rate)
        }
        return NetworkReading(
            density: density, inside: inside, boundary: (0..<count).map { sigmoid(values[3 * $0 + 2]) })
    }

    private static func positive(_ values: [Float]) -> [Float] { values.map { max(0, $0) } }
}

/// How like a body is to itself some time before and after, at every second row; the network's input.
struct LagFeatures {
    /// Values a row: of likeness, and of the pose itself.
    static let channels = 5 * lagRows.count, poseChannels = 43
    /// The times compared, rows: 0.2 to 11.2 s, each a tenth longer than the one before.
    private static let lagRows = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 17, 19, 21, 24, 26, 30, 33, 37, 41, 46, 51, 57, 63, 70, 79, 88, 98,
        109,
        121, 135, 151, 168,
    ]
    private(set) var lags: [Float], pose: [Float]
    private let rows: Int

    init(_ track: MovementTrack) {
        rows = (track.count + RepetitionNetwork.stride - 1) / RepetitionNetwork.stride
        lags = [Float](repeating: 0, count: rows * Self.channels)
        pose = [Float](repeating: 0, count: rows * Self.poseChannels)
        let (raw, placed) = (track.centred, Self.softened(track.placed))
        let centred = Self.softened(raw)
        addLags(centred, placed)
        addPose(track, centred, raw)
    }

    /// Each row with half of its neighbours'.
    private static func softened(_ rows: [JointRow]) -> [JointRow] {
        rows.indices.map { index in
            (rows[max(0, index - 1)] + rows[min(rows.count - 1, index + 1)]) * 0.25 + rows[index] * 0.5
        }
    }

    /// Sums of rows and of their squares before each row, from which the variance around any row follows.
    private struct Variance {
        /// Eight lanes of `JointRow` each: a vector of 32 would be spilled to the stack.
        private var sums = [[SIMD8<Double>]](repeating: [.zero], count: 4)
        private var squares: [Double] = [0]

        init(_ rows: [JointRow]) {
            for part in sums.indices {
                var sum = SIMD8<Double>()
                for row in rows {
                    for lane in 0..<min(8, JointRow.lanes - 8 * part) { sum[lane] += Double(row[8 * part + lane]) }
                    sums[part].append(sum)
                }
            }
            for row in rows { squares.append((squares.last ?? 0) + Double(row.squared)) }
        }

        /// The mean squared distance of a joint from its mean over some rows.
        func over(_ rows: Range<Int>) -> Float {
            var mean = SIMD8<Double>()
            for part in sums {
                let sum = part[rows.upperBound] - part[rows.lowerBound]
                mean += sum * sum
            }
            let count = Double(rows.count)
            let all = (squares[rows.upperBound] - squares[rows.lowerBound]) / count
            return Float(max(0, all - mean.sum() / (count * count)) / Double(JointRow.joints))
        }
    }

    private mutating func addLags(_ centred: [JointRow], _ placed: [JointRow]) {
        let count = centred.count
        let mirrored = centred.map { $0.exchanged(turned: false) }
        let turned = centred.map { $0.exchanged(turned: true) }
        let (variance, placedVariance) = (Variance(centred), Variance(placed))
        let number = Self.lagRows.count
        for (place, lag) in Self.lagRows.enumerated() {
            let hasPairs = count > lag + 1
            func apart(_ later: [JointRow], _ earlier: [JointRow]) -> [Float] {
                guard hasPairs else { return [] }
                return (0..<count - lag).map { row in
                    let step: JointRow = later[row + lag] - earlier[row]
                    return step.squared / Float(JointRow.joints)
                }
            }
            let (plain, whole) = (apart(centred, centred), apart(placed, placed))
            let near = lag / 4
            let (smooth, smoothWhole) = (Self.boxed(plain, near), Self.boxed(whole, near))
            let sides = zip(Self.boxed(apart(centred, mirrored), near), Self.boxed(apart(centred, turned), near)).map(
                min)
            for row in 0..<rows {
                let index = row * RepetitionNetwork.stride
                let around = max(0, index - lag)..<min(count, index + lag + 1)
                let own = variance.over(around)
                let base = row * Self.channels + place
                lags[base + 3 * number] = log10(own + 1e-4) + 1.5
                guard hasPairs else {
                    for channel in [0, 1, 2, 4] { lags[base + channel * number] = 0.5 }
                    continue
                }
                let pair = min(max(0, index - lag / 2), count - lag - 1)
                let scale = 1 / (2 * own + 2e-3)
                lags[base] = min(2, smooth[pair] * scale) - 0.5
                lags[base + number] = min(2, plain[pair] * scale) - 0.5
                lags[base + 2 * number] = min(2, smoothWhole[pair] / (2 * placedVariance.over(around) + 2e-3)) - 0.5
                lags[base + 4 * number] = min(2, sides[pair] * scale) - 0.5
            }
        }
    }

    /// The mean of the values at most so far away.
    private static func boxed(_ values: [Float], _ reach: Int) -> [Float] {
        guard reach > 0 else { return values }
        var sums = [0.0]
        sums.reserveCapacity(values.count + 1)
        for value in values { sums.append((sums.last ?? 0) + Double(value)) }
        return values.indices.map { index in
            let (low, high) = (max(0, index - reach), min(values.count, index + reach + 1))
            return Float((sums[high] - sums[low]) / Double(high - low))
        }
    }

    private mutating func addPose(_ track: MovementTrack, _ centred: [JointRow], _ raw: [JointRow]) {
        let trunk = zip(track.placed, raw).map { $0.point(0) - $1.point(0) }
        let steady = trunk.indices.map { index in
            let near = max(0, index - 1)..<min(trunk.count, index + 2)
            return near.reduce(SIMD2<Float>()) { $0 + trunk[$1] } / Float(near.count)
        }
        let sizes = raw.map { log(($0.squared / Float(JointRow.joints)).squareRoot() + 1e-3) }
        for row in 0..<rows {
            let index = row * RepetitionNetwork.stride
            let (before, after) = (max(0, index - 1), min(track.count - 1, index + 1))
            let rate = Float(MovementTrack.rate) / Float(max(1, after - before))
            let base = row * Self.poseChannels
            for lane in 0..<JointRow.lanes { pose[base + lane] = centred[index][lane] / 3 }
            let velocity = (steady[after] - steady[before]) * rate
            pose[base + 26] = min(5, max(-5, velocity.x)) / 2
            pose[base + 27] = min(5, max(-5, velocity.y)) / 2
            pose[base + 28] = min(3, max(-3, (sizes[after] - sizes[before]) * rate))
            for joint in 0..<JointRow.joints { pose[base + 29 + joint] = track.confidences[index][joint] }
            pose[base + 42] = track.isBroken[index] ? 1 : 0
        }
    }
}
