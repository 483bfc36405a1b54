struct DecodedJoints: Sendable, Equatable {
    /// The positions, in pixels with the origin at the top left.
    var points: [SIMD2<Double>]
    /// The confidence of each, 0...1.
    var scores: [Float]
    /// The confidence that there is a person, 0...1, independent of the joints.
    var personScore: Float

    /// A joint with NaN is placed at the origin with zero confidence.
    init(points: [SIMD2<Double>], scores: [Float], personScore: Float) {
        self.points = points
        self.scores = scores.map { min(1, max(0, $0)) }
        self.personScore = min(1, max(0, personScore))
        if !self.personScore.isFinite { self.personScore = 0 }
        for index in points.indices
        where !(abs(points[index].x) < 1e6 && abs(points[index].y) < 1e6 && scores[index].isFinite) {
            (self.points[index], self.scores[index]) = (.zero, 0)
        }
    }

    /// Joints as x, y, confidence, each `stride` values apart.
    init(triples values: [Float], from start: Int, count: Int, stride: Int, score: Float) {
        self.init(
            points: (0..<count).map {
                SIMD2(Double(values[start + 3 * $0 * stride]), Double(values[start + (3 * $0 + 1) * stride]))
            }, scores: (0..<count).map { values[start + (3 * $0 + 2) * stride] }, personScore: score)
    }
}
