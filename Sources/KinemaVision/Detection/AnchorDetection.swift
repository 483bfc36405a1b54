/// Something a detector sees; pixels of the picture, origin at the top left.
struct AnchorDetection: Sendable {
    /// 0...1.
    var score: Float
    /// Left, top, right, bottom of the box: of a body head and shoulders, of a hand the palm.
    var box: SIMD4<Double>
    /// The model's own points, in its order.
    var keypoints: [SIMD2<Double>]

    var area: Double {
        max(0, box.z - box.x) * max(0, box.w - box.y)
    }

    /// Intersection over union of the two boxes.
    func overlap(_ other: AnchorDetection) -> Double {
        let width = min(box.z, other.box.z) - max(box.x, other.box.x)
        let height = min(box.w, other.box.w) - max(box.y, other.box.y)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (area + other.area - width * height)
    }
}

extension [AnchorDetection] {
    /// Weighted suppression: boxes that overlap by more than `threshold` become their mean, weighted by score.
    func merged(overlapThreshold threshold: Double = 0.3) -> [AnchorDetection] {
        var rest = sorted { $0.score > $1.score }
        var result: [AnchorDetection] = []
        while let best = rest.first {
            let same = rest.filter { best.overlap($0) > threshold }
            rest.removeAll { best.overlap($0) > threshold }
            if same.isEmpty {
                // A box without an area overlaps nothing, not even itself.
                rest.removeFirst()
                continue
            }
            let total = same.reduce(0) { $0 + Double($1.score) }
            var mean = best
            mean.box = same.reduce(SIMD4()) { $0 + $1.box * Double($1.score) } / total
            for index in mean.keypoints.indices {
                mean.keypoints[index] =
                    same.reduce(SIMD2()) { $0 + $1.keypoints[index] * Double($1.score) } / total
            }
            result.append(mean)
        }
        return result
    }
}
