import Foundation
import KinemaCore

/// The joints a model found on one person, in its own order.
struct DecodedJoints: Sendable, Equatable {
    /// The positions, in pixels with the origin at the top left.
    var points: [SIMD2<Double>]
    /// The confidence of each, 0...1.
    var scores: [Float]
    /// The confidence that there is a person, 0...1, apart from the joints.
    var personScore: Float

    /// A joint that is no number is at the origin, with no confidence.
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
}

/// Turns the outputs of pose models into joints, in pixels of the model's input.
enum PoseDecoders {
    /// Heat maps [1, joints, rows, columns].
    ///
    /// A joint lies at its map's maximum, moved to that of a Gaussian by a Taylor expansion of the blurred map's
    /// logarithm (DARK: Zhang et al., Distribution-Aware Coordinate Representation, CVPR 2020).
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

    /// SimCC (Li et al. 2022): columns [1, joints, W x split] and rows [1, joints, H x split]; a joint lies at both maxima
    /// and is as sure as the lesser.
    static func simCC(
        x: ShapedArray<Float>, y: ShapedArray<Float>, width: Int, height: Int
    ) -> DecodedJoints? {
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

    /// RTMO (Lu et al. 2024) with suppression inside the graph: [1, N, 5] and [1, N, joints, 3] as x, y, confidence.
    static func rtmo(
        boxes: ShapedArray<Float>, joints: ShapedArray<Float>, minimumScore: Float
    ) -> [DecodedJoints] {
        guard boxes.shape.count == 3, boxes.shape[2] == 5, joints.shape.count == 4, joints.shape[3] == 3,
            joints.shape[1] == boxes.shape[1]
        else { return [] }
        let count = joints.shape[2]
        return (0..<boxes.shape[1]).compactMap { person in
            let score = boxes.scalars[5 * person + 4]
            guard score >= minimumScore else { return nil }
            return triples(joints.scalars, from: 3 * count * person, count: count, stride: 1, score: score)
        }
    }

    /// The pose layout of YOLOv8 and YOLO11: [1, 5 + 3 joints, N] as x, y, width, height, score, then x, y, confidence of
    /// each joint; overlapping boxes are suppressed.
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
        let kept = PersonDetectors.suppress(found.map(\.box), overlap: 0.65)
        return kept.compactMap { box in
            guard let index = found.first(where: { $0.box == box })?.index else { return nil }
            return triples(
                values, from: 5 * count + index, count: (output.shape[1] - 5) / 3, stride: count, score: box.score)
        }
    }

    /// MoveNet for one person: [1, 1, 17, 3] as y, x, score, in shares of the input.
    static func moveNet(_ output: ShapedArray<Float>, width: Int, height: Int) -> [DecodedJoints] {
        guard output.shape == [1, 1, 17, 3] else { return [] }
        return [shares(output.scalars, from: 0, width, height, score: 1)]
    }

    /// MoveNet for several people: [1, N, 56] as 17 times y, x, score, then the box and its score.
    static func moveNetMulti(
        _ output: ShapedArray<Float>, width: Int, height: Int, minimumScore: Float
    ) -> [DecodedJoints] {
        guard output.shape.count == 3, output.shape[2] == 56 else { return [] }
        return (0..<output.shape[1]).compactMap { person in
            let score = output.scalars[56 * person + 55]
            return score >= minimumScore ? shares(output.scalars, from: 56 * person, width, height, score: score) : nil
        }
    }

    private static func shares(
        _ values: [Float], from start: Int, _ width: Int, _ height: Int, score: Float
    ) -> DecodedJoints {
        let size = SIMD2(Double(width), Double(height))
        return DecodedJoints(
            points: (0..<17).map {
                SIMD2(Double(values[start + 3 * $0 + 1]), Double(values[start + 3 * $0])) * size
            }, scores: (0..<17).map { values[start + 3 * $0 + 2] }, personScore: score)
    }

    /// Joints as x, y, confidence, each `stride` values apart.
    private static func triples(
        _ values: [Float], from start: Int, count: Int, stride: Int, score: Float
    ) -> DecodedJoints {
        DecodedJoints(
            points: (0..<count).map {
                SIMD2(Double(values[start + 3 * $0 * stride]), Double(values[start + (3 * $0 + 1) * stride]))
            }, scores: (0..<count).map { values[start + (3 * $0 + 2) * stride] }, personScore: score)
    }
}

/// One joint's heat map, and where its maximum lies between the cells.
private struct HeatMap {
    let values: [Float]
    let start: Int
    let rows: Int
    let columns: Int

    /// The blur's radius in cells.
    private static let radius = 2
    /// The weights of a Gaussian over five cells, of standard deviation 1.1.
    private static let weights: [Double] = {
        let raw = (-radius...radius).map { exp(-Double($0 * $0) / (2 * 1.1 * 1.1)) }
        return raw.map { $0 / raw.reduce(0, +) }
    }()

    /// The maximum's distance from its cell; none at the map's rim, or where the map has no clear peak.
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
        // The maximum is at this cell, so that the expansion is off if it leads further than to the next but one.
        return abs(offset.x) <= 2 && abs(offset.y) <= 2 ? offset : .zero
    }

    /// The map blurred at a cell; it is zero outside.
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
