import Foundation
import KinemaCore

struct DecodedJoints: Sendable, Equatable {
    /// The positions, in pixels with the origin at the top left.
    var points: [SIMD2<Double>]
    /// The confidence of each, 0...1.
    var scores: [Float]
    /// The confidence that there is a person, 0...1, independent of the joints.
    var personScore: Float

    /// A joint with NaN is placed at the origin with zero confidence.
    init(points: [SIMD2<Double>], scores: [Float], personScore: Float) {
        self.points = points
        self.scores = scores.map { min(1, max(0, $0)) }
        self.personScore = min(1, max(0, personScore))
        if !self.personScore.isFinite { self.personScore = 0 }
        for index in points.indices
        where !(abs(points[index].x) < 1e6 && abs(points[index].y) < 1e6 && scores[index].isFinite) {
            (self.points[index], self.scores[index]) = (.zero, 0)
        }
    }

    /// Joints as x, y, confidence, each `stride` values apart.
    init(triples values: [Float], from start: Int, count: Int, stride: Int, score: Float) {
        self.init(
            points: (0..<count).map {
                SIMD2(Double(values[start + 3 * $0 * stride]), Double(values[start + (3 * $0 + 1) * stride]))
            }, scores: (0..<count).map { values[start + (3 * $0 + 2) * stride] }, personScore: score)
    }
}

extension ModelDecoder {
    /// Heat maps [1, joints, rows, columns]: HRNet, ViTPose, PP-TinyPose.
    static let heatmap = ModelDecoder(
        "heatmap", size: (192, 256), input: .init(mean: imageNet.mean, scale: imageNet.deviation, fit: .crop),
        find: { shapes in
            let found = shapes.first { shape in
                guard shape.count == 4, shape.allSatisfy({ $0 == -1 || $0 >= 1 }), (4...300).contains(shape[1]) else {
                    return false
                }
                let (rows, columns) = (shape[2], shape[3])
                // Maps have the input's shape, usually a quarter of its size.
                return rows == -1 || columns == -1
                    || rows >= 8 && columns >= 8 && rows <= shapes.height && columns <= shapes.width
                        && rows * shapes.width == columns * shapes.height
            }
            return found.map { ([$0], shapes[$0][1]) }
        }, decode: .joints { heatMaps($0[0], width: $0.input.width, height: $0.input.height) })

    /// A joint lies at its map's maximum, refined by a Taylor expansion of the blurred map's logarithm (DARK: Zhang et
    /// al., Distribution-Aware Coordinate Representation, CVPR 2020).
    static func heatMaps(_ maps: ShapedArray<Float>, width: Int, height: Int) -> DecodedJoints? {
        guard maps.shape.count == 4, maps.shape[0] == 1, maps.shape[2] > 0, maps.shape[3] > 0 else { return nil }
        let (rows, columns, values) = (maps.shape[2], maps.shape[3], maps.scalars)
        let scale = SIMD2(Double(width) / Double(columns), Double(height) / Double(rows))
        var result = (points: [SIMD2<Double>](), scores: [Float]())
        for joint in 0..<maps.shape[1] {
            let start = joint * rows * columns
            var (peak, highest) = (start, -Float.infinity)
            for index in start..<(start + rows * columns) where values[index] > highest {
                (peak, highest) = (index, values[index])
            }
            let map = HeatMap(values: values, start: start, rows: rows, columns: columns)
            let cell = (x: (peak - start) % columns, y: (peak - start) / columns)
            result.points.append((SIMD2(Double(cell.x), Double(cell.y)) + map.offset(at: cell)) * scale)
            result.scores.append(highest)
        }
        return DecodedJoints(points: result.points, scores: result.scores, personScore: 1)
    }
}

private struct HeatMap {
    let values: [Float]
    let start: Int
    let rows: Int
    let columns: Int

    /// The blur's radius in cells.
    private static let radius = 2
    /// The weights of a Gaussian over five cells, of standard deviation 1.1.
    private static let weights: [Double] = {
        let variance = 1.1 * 1.1
        let raw = (-radius...radius).map { exp(-Double($0 * $0) / (2 * variance)) }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }()

    /// The maximum's offset from its cell; zero at the map's edge, or if the map has no clear peak.
    func offset(at cell: (x: Int, y: Int)) -> SIMD2<Double> {
        guard cell.x > 1, cell.y > 1, cell.x < columns - 2, cell.y < rows - 2 else { return .zero }
        func log(_ x: Int, _ y: Int) -> Double { Foundation.log(max(blurred(cell.x + x, cell.y + y), 1e-10)) }
        let middle = log(0, 0)
        let slope = SIMD2(log(1, 0) - log(-1, 0), log(0, 1) - log(0, -1)) / 2
        let xx = (log(2, 0) - 2 * middle + log(-2, 0)) / 4
        let yy = (log(0, 2) - 2 * middle + log(0, -2)) / 4
        let xy = (log(1, 1) - log(-1, 1) - log(1, -1) + log(-1, -1)) / 4
        let determinant = xx * yy - xy * xy
        guard determinant != 0 else { return .zero }
        let offset = SIMD2(xy * slope.y - yy * slope.x, xy * slope.x - xx * slope.y) / determinant
        // The maximum is at this cell, so the expansion is wrong if it leads more than two cells away.
        return abs(offset.x) <= 2 && abs(offset.y) <= 2 ? offset : .zero
    }

    /// The blurred map at a cell; the map is zero outside its bounds.
    private func blurred(_ x: Int, _ y: Int) -> Double {
        var sum = 0.0
        for row in max(0, y - Self.radius)...min(rows - 1, y + Self.radius) {
            var line = 0.0
            for column in max(0, x - Self.radius)...min(columns - 1, x + Self.radius) {
                line += Double(values[start + row * columns + column]) * Self.weights[column - x + Self.radius]
            }
            sum += line * Self.weights[row - y + Self.radius]
        }
        return sum
    }
}

extension ModelDecoder {
    /// MoveNet for one person: [1, 1, 17, 3] as y, x, score, in shares of the input.
    static let movenet = ModelDecoder(
        "movenet", size: (192, 192), input: .init(fit: .letterbox),
        find: { shapes in shapes.first { $0 == [1, 1, 17, 3] }.map { ([$0], 17) } },
        decode: .people { moveNet($0) })

    /// MoveNet for several people: [1, N, 56] as 17 times y, x, score, then the box and its score.
    static let movenetMulti = ModelDecoder(
        "movenet-multi", size: (256, 256), input: .init(fit: .letterbox),
        find: { shapes in shapes.first { $0.count == 3 && $0[2] == 56 }.map { ([$0], 17) } },
        decode: .people { moveNetMulti($0) })

    static func moveNet(_ outputs: Outputs) -> [DecodedJoints] {
        guard outputs[0].shape == [1, 1, 17, 3] else { return [] }
        return [shares(outputs, from: 0, score: 1)]
    }

    static func moveNetMulti(_ outputs: Outputs) -> [DecodedJoints] {
        let output = outputs[0]
        guard output.shape.count == 3, output.shape[2] == 56 else { return [] }
        return (0..<output.shape[1]).compactMap { person in
            let score = output.scalars[56 * person + 55]
            return score >= outputs.minimumScore ? shares(outputs, from: 56 * person, score: score) : nil
        }
    }

    private static func shares(_ outputs: Outputs, from start: Int, score: Float) -> DecodedJoints {
        let (values, size) = (outputs[0].scalars, outputs.input.size)
        return DecodedJoints(
            points: (0..<17).map {
                SIMD2(Double(values[start + 3 * $0 + 1]), Double(values[start + 3 * $0])) * size
            }, scores: (0..<17).map { values[start + 3 * $0 + 2] }, personScore: score)
    }
}

extension ModelDecoder {
    /// RTMO (Lu et al. 2024) with suppression: [1, N, 5] as box and score, [1, N, joints, 3] as x, y, confidence.
    static let rtmo = ModelDecoder(
        "rtmo", size: (640, 640), input: .init(channels: .bgr, fit: .corner, border: 114),
        find: { shapes in
            let boxes = shapes.first { $0.count == 3 && $0[2] == 5 }
            let joints = shapes.first { $0.count == 4 && $0[3] == 3 && (4...300).contains($0[2]) }
            guard let boxes, let joints else { return nil }
            return ([boxes, joints], shapes[joints][2])
        }, decode: .people { rtmo(boxes: $0[0], joints: $0[1], minimumScore: $0.minimumScore) })

    static func rtmo(boxes: ShapedArray<Float>, joints: ShapedArray<Float>, minimumScore: Float) -> [DecodedJoints] {
        guard boxes.shape.count == 3, boxes.shape[2] == 5, joints.shape.count == 4, joints.shape[3] == 3,
            joints.shape[1] == boxes.shape[1]
        else { return [] }
        let count = joints.shape[2]
        return (0..<boxes.shape[1]).compactMap { person in
            let score = boxes.scalars[5 * person + 4]
            guard score >= minimumScore else { return nil }
            return DecodedJoints(
                triples: joints.scalars, from: 3 * count * person, count: count, stride: 1, score: score)
        }
    }
}

extension ModelDecoder {
    /// SimCC (Li et al. 2022), as in RTMPose: columns [1, joints, W x split] and rows [1, joints, H x split].
    static let simcc = ModelDecoder(
        "simcc", size: (192, 256), input: .init(mean: imageNet.mean, scale: imageNet.deviation, fit: .crop),
        find: { shapes in
            for x in shapes.graph.outputs.indices {
                for y in shapes.graph.outputs.indices where x != y {
                    let (columns, rows) = (shapes[x], shapes[y])
                    guard columns.count == 3, rows.count == 3, columns[1] == rows[1], (4...300).contains(columns[1]),
                        columns[2] >= shapes.width, rows[2] >= shapes.height,
                        columns[2] * shapes.height == rows[2] * shapes.width
                    else { continue }
                    return ([x, y], columns[1])
                }
            }
            return nil
        }, decode: .joints { simCC(x: $0[0], y: $0[1], width: $0.input.width, height: $0.input.height) })

    /// A joint lies at the two maxima; its confidence is the lower of the two.
    static func simCC(x: ShapedArray<Float>, y: ShapedArray<Float>, width: Int, height: Int) -> DecodedJoints? {
        guard x.shape.count == 3, y.shape.count == 3, x.shape[0] == 1, x.shape[1] == y.shape[1], x.shape[2] > 0,
            y.shape[2] > 0, y.shape[0] == 1
        else { return nil }
        func peaks(_ map: ShapedArray<Float>, _ size: Int) -> [(position: Double, score: Float)] {
            let (count, values) = (map.shape[2], map.scalars)
            return (0..<map.shape[1]).map { joint in
                var best = joint * count
                for index in best..<(best + count) where values[index] > values[best] { best = index }
                return (Double(best - joint * count) * Double(size) / Double(count), values[best])
            }
        }
        let pairs = zip(peaks(x, width), peaks(y, height))
        return DecodedJoints(
            points: pairs.map { SIMD2($0.position, $1.position) }, scores: pairs.map { min($0.score, $1.score) },
            personScore: 1)
    }
}

extension ModelDecoder {
    /// YOLOv8 and YOLO11 pose: [1, 5 + 3 joints, N] as x, y, width, height, score, then x, y, confidence of each joint.
    static let yoloPose = ModelDecoder(
        "yolo-pose", size: (640, 640), input: .init(scale: [255], fit: .letterbox, border: 114),
        find: { shapes in
            let found = shapes.first {
                $0.count == 3 && $0[1] >= 5 + 12 && $0[1] <= 905 && ($0[1] - 5) % 3 == 0
                    && shapes.isCells($0[2], strides: [8, 16, 32])
            }
            return found.map { ([$0], (shapes[$0][1] - 5) / 3) }
        }, decode: .people { yoloPose($0[0], minimumScore: $0.minimumScore) })

    static func yoloPose(_ output: ShapedArray<Float>, minimumScore: Float) -> [DecodedJoints] {
        guard output.shape.count == 3, output.shape[1] > 5, (output.shape[1] - 5) % 3 == 0 else { return [] }
        let (count, values) = (output.shape[2], output.scalars)
        var found: [(box: DetectedBox, index: Int)] = []
        for index in 0..<count where values[4 * count + index] >= minimumScore {
            func value(_ row: Int) -> Double { Double(values[row * count + index]) }
            let (center, half) = (SIMD2(value(0), value(1)), SIMD2(value(2), value(3)) / 2)
            guard let box = DetectedBox(center: center, half: half, score: values[4 * count + index]) else { continue }
            found.append((box, index))
        }
        return DetectedBox.suppress(found.map(\.box), overlap: 0.65).compactMap { box in
            guard let index = found.first(where: { $0.box == box })?.index else { return nil }
            return DecodedJoints(
                triples: values, from: 5 * count + index, count: (output.shape[1] - 5) / 3, stride: count,
                score: box.score)
        }
    }
}
