import Foundation
import KinemaCore

/// A person's box, in pixels with the origin at the top left.
struct DetectedBox: Sendable, Equatable {
    /// Left, top, right, bottom.
    var box: SIMD4<Double>
    /// The confidence that it is a person, 0...1.
    var score: Float

    /// Intersection over union of two boxes.
    func overlap(_ other: DetectedBox) -> Double {
        let width = min(box.z, other.box.z) - max(box.x, other.box.x)
        let height = min(box.w, other.box.w) - max(box.y, other.box.y)
        guard width > 0, height > 0 else { return 0 }
        return width * height / max(1e-9, area + other.area - width * height)
    }

    private var area: Double { max(0, box.z - box.x) * max(0, box.w - box.y) }
}

/// Turns the outputs of person detectors into boxes in pixels of the model's input.
enum PersonDetectors {
    /// The most boxes that are compared with each other; more in one picture is noise.
    static let maximumCandidates = 300

    /// PicoDet: boxes [1, N, 4] as left, top, right, bottom and scores [1, classes, N].
    static func picoDet(
        boxes: ShapedArray<Float>, scores: ShapedArray<Float>, personClass: Int, minimumScore: Float
    ) -> [DetectedBox] {
        guard boxes.shape.count == 3, scores.shape.count == 3, boxes.shape[2] == 4, boxes.shape[1] == scores.shape[2],
            scores.shape[1] > personClass
        else { return [] }
        let count = boxes.shape[1]
        let (corners, levels) = (boxes.scalars, scores.scalars)
        return (0..<count).compactMap { index in
            let score = levels[personClass * count + index]
            guard score >= minimumScore else { return nil }
            return DetectedBox(corners: corners[(4 * index)..<(4 * index + 4)], score: score)
        }
    }

    /// RTMDet, RTMO and YOLOX with suppression inside the graph: [1, N, 5] as left, top, right, bottom, score.
    static func suppressed(
        _ boxes: ShapedArray<Float>, labels: ShapedArray<Float>?, personClass: Int, minimumScore: Float
    ) -> [DetectedBox] {
        guard boxes.shape.count == 3, boxes.shape[2] == 5 else { return [] }
        let values = boxes.scalars
        return (0..<boxes.shape[1]).compactMap { index in
            let score = values[5 * index + 4]
            guard score >= minimumScore else { return nil }
            if let labels, index < labels.scalars.count, labels.scalars[index] != Float(personClass) { return nil }
            return DetectedBox(corners: values[(5 * index)..<(5 * index + 4)], score: score)
        }
    }

    /// YOLOX before its grids are applied: [1, N, 5 + classes] as x, y, width, height, objectness and classes.
    ///
    /// A cell's centre is its column and row plus x and y, its size the exponential of width and height, both times the
    /// stride (Ge et al. 2021); the score is objectness times class.
    static func yolox(
        _ output: ShapedArray<Float>, width: Int, height: Int, personClass: Int, minimumScore: Float
    ) -> [DetectedBox] {
        let strides = [8, 16, 32]
        guard output.shape.count == 3, output.shape[2] > 5 + personClass,
            output.shape[1] == ModelLayout.cells(width, height, strides: strides)
        else { return [] }
        let (values, step) = (output.scalars, output.shape[2])
        var found: [DetectedBox] = []
        var start = 0
        for stride in strides {
            let (columns, rows) = ((width + stride - 1) / stride, (height + stride - 1) / stride)
            for cell in 0..<(columns * rows) {
                defer { start += step }
                let score = values[start + 4] * values[start + 5 + personClass]
                guard score >= minimumScore else { continue }
                let corner = SIMD2(Double(cell % columns), Double(cell / columns))
                let center = (corner + SIMD2(Double(values[start]), Double(values[start + 1]))) * Double(stride)
                let half = SIMD2(exp(Double(values[start + 2])), exp(Double(values[start + 3]))) * Double(stride) / 2
                if let box = DetectedBox(center: center, half: half, score: score) { found.append(box) }
            }
        }
        return found
    }

    /// Non-maximum suppression: of boxes that overlap by more than `overlap` (intersection over union), the best stays.
    static func suppress(_ boxes: [DetectedBox], overlap: Double) -> [DetectedBox] {
        let best = boxes.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .prefix(maximumCandidates).map(\.element)
        var kept: [DetectedBox] = []
        for box in best where !kept.contains(where: { $0.overlap(box) > overlap }) { kept.append(box) }
        return kept
    }
}

extension DetectedBox {
    /// A box from its corners; nil unless they are numbers with an area between them.
    init?(corners: ArraySlice<Float>, score: Float) {
        guard corners.count == 4, score.isFinite, corners.allSatisfy({ abs($0) < 1e6 }) else { return nil }
        let values = corners.map { Double($0) }
        self.init(box: SIMD4(values[0], values[1], values[2], values[3]), score: min(1, score))
        guard box.z > box.x, box.w > box.y else { return nil }
    }

    /// A box from its centre and half its size; nil unless they are numbers.
    init?(center: SIMD2<Double>, half: SIMD2<Double>, score: Float) {
        let (low, high) = (center - half, center + half)
        guard low.x > -1e6, low.y > -1e6, high.x < 1e6, high.y < 1e6, high.x > low.x, high.y > low.y else { return nil }
        self.init(box: SIMD4(low.x, low.y, high.x, high.y), score: min(1, score))
    }
}
