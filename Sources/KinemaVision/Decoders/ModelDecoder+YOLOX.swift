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
