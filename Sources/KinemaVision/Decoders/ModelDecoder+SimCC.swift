import KinemaCore

extension ModelDecoder {
    /// SimCC (Li et al. 2022), as in RTMPose: columns [1, joints, W x split] and rows [1, joints, H x split].
    static let simcc = ModelDecoder(
        "simcc", size: (192, 256), input: .init(mean: imageNet.mean, scale: imageNet.deviation, fit: .crop),
        find: { shapes in
            for x in shapes.graph.outputs.indices {
                for y in shapes.graph.outputs.indices where x != y {
                    let (columns, rows) = (shapes[x], shapes[y])
                    guard columns.count == 3, rows.count == 3, columns[1] == rows[1], (4...300).contains(columns[1]),
                        columns[2] >= shapes.width, rows[2] >= shapes.height,
                        columns[2] * shapes.height == rows[2] * shapes.width
                    else { continue }
                    return ([x, y], columns[1])
                }
            }
            return nil
        }, decode: .joints { simCC(x: $0[0], y: $0[1], width: $0.input.width, height: $0.input.height) })

    /// A joint lies at the two maxima; its confidence is the lower of the two.
    static func simCC(x: ShapedArray<Float>, y: ShapedArray<Float>, width: Int, height: Int) -> DecodedJoints? {
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
}
