import KinemaCore

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
