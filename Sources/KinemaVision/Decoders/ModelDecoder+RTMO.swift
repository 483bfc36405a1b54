import KinemaCore

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
