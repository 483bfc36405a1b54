import Foundation
import KinemaCore

/// A person's box, in pixels with the origin at the top left.
struct DetectedBox: Sendable, Equatable {
    /// Left, top, right, bottom.
    var box: SIMD4<Double>
    /// The confidence that it is a person, 0...1.
    var score: Float

    /// Intersection over union of the two boxes.
    func overlap(_ other: DetectedBox) -> Double {
        let width = min(box.z, other.box.z) - max(box.x, other.box.x)
        let height = min(box.w, other.box.w) - max(box.y, other.box.y)
        guard width > 0, height > 0 else { return 0 }
        func area(_ box: SIMD4<Double>) -> Double { max(0, box.z - box.x) * max(0, box.w - box.y) }
        return width * height / max(1e-9, area(box) + area(other.box) - width * height)
    }

    /// The part of the box within a picture; nil if it is only a few pixels.
    func clipped(to size: SIMD2<Double>) -> DetectedBox? {
        let low = pointwiseMax(SIMD2(box.x, box.y), .zero)
        let high = pointwiseMin(SIMD2(box.z, box.w), size)
        guard high.x - low.x >= 4, high.y - low.y >= 4 else { return nil }
        return DetectedBox(box: SIMD4(low.x, low.y, high.x, high.y), score: score)
    }

    /// The most boxes that are compared with each other; more in one picture is noise.
    private static let maximumCandidates = 300

    /// Non-maximum suppression: among boxes that overlap by more than `overlap` (intersection over union), keeps the
    /// best.
    static func suppress(_ boxes: [DetectedBox], overlap: Double) -> [DetectedBox] {
        let best = boxes.sorted { $0.score > $1.score }.prefix(maximumCandidates)
        var kept: [DetectedBox] = []
        for box in best where !kept.contains(where: { $0.overlap(box) > overlap }) { kept.append(box) }
        return kept
    }
}

extension DetectedBox {
    /// A box from its corners; nil unless they are finite and enclose an area.
    init?(corners: ArraySlice<Float>, score: Float) {
        guard corners.count == 4, score.isFinite, corners.allSatisfy({ abs($0) < 1e6 }) else { return nil }
        let values = corners.map { Double($0) }
        self.init(box: SIMD4(values[0], values[1], values[2], values[3]), score: min(1, score))
        guard box.z > box.x, box.w > box.y else { return nil }
    }

    /// A box from its centre and half its size; nil unless they are finite.
    init?(center: SIMD2<Double>, half: SIMD2<Double>, score: Float) {
        let (low, high) = (center - half, center + half)
        guard low.x > -1e6, low.y > -1e6, high.x < 1e6, high.y < 1e6, high.x > low.x, high.y > low.y else { return nil }
        self.init(box: SIMD4(low.x, low.y, high.x, high.y), score: min(1, score))
    }
}

extension ModelDecoder {
    /// PicoDet (Yu et al. 2021): decoded boxes [1, N, 4] and scores [1, classes, N].
    static let picodet = ModelDecoder(
        "picodet", size: (320, 320), input: .init(mean: imageNet.mean, scale: imageNet.deviation),
        find: { shapes in
            let strides = [8, 16, 32, 64]
            let boxes = shapes.first { $0.count == 3 && shapes.isCells($0[1], strides: strides) && $0[2] == 4 }
            let scores = shapes.first {
                $0.count == 3 && (1...1000).contains($0[1]) && shapes.isCells($0[2], strides: strides)
            }
            guard let boxes, let scores, boxes != scores else { return nil }
            return ([boxes, scores], 0)
        },
        decode: .boxes { picoDet($0) })

    /// Boxes as left, top, right, bottom.
    static func picoDet(_ outputs: Outputs) -> [DetectedBox] {
        let (boxes, scores) = (outputs[0], outputs[1])
        guard boxes.shape.count == 3, scores.shape.count == 3, boxes.shape[2] == 4, boxes.shape[1] == scores.shape[2],
            scores.shape[1] > outputs.personClass
        else { return [] }
        let count = boxes.shape[1]
        let (corners, levels) = (boxes.scalars, scores.scalars)
        return (0..<count).compactMap { index in
            let score = levels[outputs.personClass * count + index]
            guard score >= outputs.minimumScore else { return nil }
            return DetectedBox(corners: corners[(4 * index)..<(4 * index + 4)], score: score)
        }
    }
}

extension ModelDecoder {
    /// RTMDet (Lyu et al. 2022), YOLOX with suppression: [1, N, 5] as left, top, right, bottom, score; labels [1, N].
    static let rtmdet = ModelDecoder(
        "rtmdet", size: (320, 320),
        input: .init(
            channels: .bgr, mean: imageNet.mean.reversed(), scale: imageNet.deviation.reversed(), fit: .corner,
            border: 114),
        find: { shapes in
            // With joints among the outputs, the model is RTMO.
            guard shapes.graph.outputs.count <= 2, rtmo.find(shapes) == nil else { return nil }
            let boxes = shapes.first { $0.count == 3 && $0[2] == 5 && $0[1] <= 10_000 }
            let labels = shapes.first { $0.count == 2 }
            return boxes.map { ([$0] + [labels].compactMap(\.self), 0) }
        },
        decode: .boxes { suppressed($0) })

    static func suppressed(_ outputs: Outputs) -> [DetectedBox] {
        let boxes = outputs[0]
        let labels = outputs.arrays.count > 1 ? outputs[1] : nil
        guard boxes.shape.count == 3, boxes.shape[2] == 5 else { return [] }
        let values = boxes.scalars
        return (0..<boxes.shape[1]).compactMap { index in
            let score = values[5 * index + 4]
            guard score >= outputs.minimumScore else { return nil }
            if let labels, index < labels.scalars.count, labels.scalars[index] != Float(outputs.personClass) {
                return nil
            }
            return DetectedBox(corners: values[(5 * index)..<(5 * index + 4)], score: score)
        }
    }
}

extension ModelDecoder {
    private static let strides = [8, 16, 32]

    /// YOLOX (Ge et al. 2021) without grids: [1, N, 5 + classes] as x, y, width, height, objectness, classes.
    static let yolox = ModelDecoder(
        "yolox", size: (416, 416), input: .init(channels: .bgr, fit: .corner, border: 114),
        find: { shapes in
            shapes.first { $0.count == 3 && shapes.isCells($0[1], strides: strides) && (6...1005).contains($0[2]) }
                .map { ([$0], 0) }
        },
        decode: .boxes { cells($0) })

    /// The centre is (cell + xy) x stride, the size exp(width, height) x stride; the score is objectness times class.
    static func cells(_ outputs: Outputs) -> [DetectedBox] {
        let (output, width, height) = (outputs[0], outputs.input.width, outputs.input.height)
        guard output.shape.count == 3, output.shape[2] > 5 + outputs.personClass,
            output.shape[1] == OutputShapes.cells(width, height, strides: strides)
        else { return [] }
        let (values, step) = (output.scalars, output.shape[2])
        var found: [DetectedBox] = []
        var start = 0
        for stride in strides {
            let (columns, rows) = ((width + stride - 1) / stride, (height + stride - 1) / stride)
            for cell in 0..<(columns * rows) {
                defer { start += step }
                let score = values[start + 4] * values[start + 5 + outputs.personClass]
                guard score >= outputs.minimumScore else { continue }
                let corner = SIMD2(Double(cell % columns), Double(cell / columns))
                let center = (corner + SIMD2(Double(values[start]), Double(values[start + 1]))) * Double(stride)
                let half = SIMD2(exp(Double(values[start + 2])), exp(Double(values[start + 3]))) * Double(stride) / 2
                if let box = DetectedBox(center: center, half: half, score: score) { found.append(box) }
            }
        }
        return found
    }
}
