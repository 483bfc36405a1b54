/// A body as the detector sees it; pixels of the picture, origin at the top left.
struct BodyDetection: Sendable {
    /// 0...1.
    var score: Float
    /// Left, top, right, bottom of the head and shoulders' box.
    var box: SIMD4<Double>
    /// Middle of the hips, the full body's rim, middle of the shoulders, the upper body's rim.
    var keypoints: [SIMD2<Double>]

    /// The square in which the landmarks are looked for.
    var region: Region {
        Region(middle: keypoints[0], rim: keypoints[1])
    }

    var area: Double {
        max(0, box.z - box.x) * max(0, box.w - box.y)
    }

    /// Intersection over union of the two boxes.
    func overlap(_ other: BodyDetection) -> Double {
        let width = min(box.z, other.box.z) - max(box.x, other.box.x)
        let height = min(box.w, other.box.w) - max(box.y, other.box.y)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (area + other.area - width * height)
    }
}

extension [BodyDetection] {
    /// Weighted suppression: boxes that overlap by more than `threshold` become their mean, weighted by score.
    func merged(overlapThreshold threshold: Double = 0.3) -> [BodyDetection] {
        var rest = sorted { $0.score > $1.score }
        var result: [BodyDetection] = []
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
