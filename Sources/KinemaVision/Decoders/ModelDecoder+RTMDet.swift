import KinemaCore

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
