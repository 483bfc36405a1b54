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
