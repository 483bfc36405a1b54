import KinemaCore

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
