import KinemaCore

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
