import Foundation

/// A detected body or palm, in pixels of the picture with the origin at the top left.
struct AnchorDetection: Sendable {
    var score: Float
    /// The bounding box as left, top, right, bottom: a body's head and shoulders, or a hand's palm.
    var box: SIMD4<Double>
    var keypoints: [SIMD2<Double>]

    func overlap(_ other: AnchorDetection) -> Double {
        DetectedBox(box: box, score: score).overlap(DetectedBox(box: other.box, score: other.score))
    }
}

extension [AnchorDetection] {
    /// Weighted non-maximum suppression: replaces overlapping boxes by their mean, weighted by score.
    func merged(overlapThreshold threshold: Double = 0.3) -> [AnchorDetection] {
        var rest = sorted { $0.score > $1.score }
        var result: [AnchorDetection] = []
        while let best = rest.first {
            let same = rest.filter { best.overlap($0) > threshold }
            rest.removeAll { best.overlap($0) > threshold }
            if same.isEmpty {
                // A box with an empty area does not even overlap itself.
                rest.removeFirst()
                continue
            }
            let total = same.reduce(0) { $0 + Double($1.score) }
            var mean = best
            mean.box = same.reduce(SIMD4()) { $0 + $1.box * Double($1.score) } / total
            for index in mean.keypoints.indices {
                mean.keypoints[index] = same.reduce(SIMD2()) { $0 + $1.keypoints[index] * Double($1.score) } / total
            }
            result.append(mean)
        }
        return result
    }
}

extension AnchorDetection {
    /// The region of a body's landmarks; the keypoints are hip centre, body rim, shoulder centre and upper body rim.
    var bodyRegion: Region { Region(middle: keypoints[0], rim: keypoints[1]) }

    /// The region of a hand's landmarks by MediaPipe's rule: the palm's box, rotated so that the wrist (keypoint 0)
    /// lies below the middle knuckle (2), shifted towards it by half its height and enlarged 2.6 times.
    var handRegion: Region {
        let line = keypoints[2] - keypoints[0]
        let angle = Double.pi / 2 - atan2(-line.y, line.x)
        let size = SIMD2(box.z - box.x, box.w - box.y)
        let center = SIMD2(box.x + box.z, box.y + box.w) / 2 + 0.5 * size.y * SIMD2(sin(angle), -cos(angle))
        return Region(center: center, side: 2.6 * size.max(), angle: angle)
    }
}
