import Foundation
import KinemaCore

extension ModelDecoder {
    private static let strides = [8, 16, 32]

    /// YOLOX (Ge et al. 2021) without grids: [1, N, 5 + classes] as x, y, width, height, objectness, classes.
    static let yolox = ModelDecoder(
        "yolox", size: (416, 416), input: .init(channels: .bgr, fit: .corner, border: 114),
        find: { shapes in
            shapes.first { $0.count == 3 && shapes.isCells($0[1], strides: strides) && (6...1005).contains($0[2]) }
                .map { ([$0], 0) }
        },
        decode: .boxes {
            yolox(
                $0[0], width: $0.input.width, height: $0.input.height, personClass: $0.personClass,
                minimumScore: $0.minimumScore)
        })

    /// The centre is (cell + xy) x stride, the size exp(width, height) x stride; the score is objectness times class.
    static func yolox(
        _ output: ShapedArray<Float>, width: Int, height: Int, personClass: Int, minimumScore: Float
    ) -> [DetectedBox] {
        guard output.shape.count == 3, output.shape[2] > 5 + personClass,
            output.shape[1] == OutputShapes.cells(width, height, strides: strides)
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
}
