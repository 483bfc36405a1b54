import Foundation
import KinemaCore

extension BodyLandmarks {
    /// About half the person's height in pixels: the distance from the hip centre to the rim of the body's circle.
    var size: Double { (rim - middle).length }

    /// The same landmarks in a later frame, in which nothing has moved.
    var held: BodyLandmarks {
        var body = self
        body.isHeld = true
        return body
    }

    /// The angle between the two bodies' directions from hips to rim, 0 to pi.
    func rotation(to other: BodyLandmarks) -> Double {
        let (mine, theirs) = (rim - middle, other.rim - other.middle)
        let cross = mine.x * theirs.y - mine.y * theirs.x
        return abs(atan2(cross, (mine * theirs).sum()))
    }

    /// The share of the smaller joint bounding box that lies within the larger one, 0...1.
    func boxOverlap(with other: BodyLandmarks) -> Double {
        let (mine, theirs) = (points.bounds, other.points.bounds)
        let shared = pointwiseMin(mine.high, theirs.high) - pointwiseMax(mine.low, theirs.low)
        guard shared.x > 0, shared.y > 0 else { return 0 }
        func area(_ box: (low: SIMD2<Double>, high: SIMD2<Double>)) -> Double {
            (box.high.x - box.low.x) * (box.high.y - box.low.y)
        }
        return shared.x * shared.y / max(1, min(area(mine), area(theirs)))
    }

    /// The mean distance between the visible joints of two bodies, in body sizes.
    func distance(to other: BodyLandmarks) -> Double {
        var total = 0.0
        var count = 0.0
        for index in points.indices where visibility[index] >= 0.3 && other.visibility[index] >= 0.3 {
            total += (points[index] - other.points[index]).length
            count += 1
        }
        let size = max(1, min(self.size, other.size))
        return count >= 4 ? total / count / size : (middle - other.middle).length / size
    }

    /// The mean confidence of the main joints: nose, shoulders, elbows, wrists, hips, knees and ankles.
    var meanVisibility: Float {
        let joints = [0, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]
        return joints.reduce(0) { $0 + confidence($1) } / Float(joints.count)
    }

    func covers(_ region: Region) -> Bool {
        (middle - region.center).length < 0.25 * size
            && max(region.side / 2.5, size) < 1.4 * min(region.side / 2.5, size)
    }

    /// The deviations of COCO's joints at BlazePose's indices.
    private static let deviations: [(index: Int, deviation: Double)] = COCOJoints.deviations.compactMap { entry in
        BlazePoseSkeleton.joints.firstIndex(of: entry.joint).map { ($0, entry.deviation) }
    }

    /// The object key point similarity of two bodies, 0...1, after this one is shifted; 0.5 without common joints.
    func keypointSimilarity(to other: BodyLandmarks, shifted shift: SIMD2<Double> = .zero) -> Double {
        // A body's area is about the square of half its height.
        let area = max(1, size * other.size)
        var (sum, count) = (0.0, 0.0)
        for (index, deviation) in Self.deviations where visibility[index] >= 0.3 && other.visibility[index] >= 0.3 {
            let offset = points[index] + shift - other.points[index]
            sum += exp(-(offset * offset).sum() / (8 * deviation * deviation * area))
            count += 1
        }
        return count >= 4 ? sum / count : 0.5
    }

    /// The displacement to another body: the median over the joints visible in both, which ignores hidden joints.
    func displacement(to other: BodyLandmarks) -> SIMD2<Double> {
        let common = Self.deviations.map(\.index).filter { visibility[$0] >= 0.3 && other.visibility[$0] >= 0.3 }
        guard common.count >= 4 else { return other.middle - middle }
        let offsets = common.map { other.points[$0] - points[$0] }
        return SIMD2(offsets.map(\.x).median, offsets.map(\.y).median)
    }
}

extension SIMD2<Double> {
    var length: Double { (x * x + y * y).squareRoot() }
}

extension [SIMD2<Double>] {
    /// The corners of the box around the points; infinite without any.
    var bounds: (low: SIMD2<Double>, high: SIMD2<Double>) {
        reduce((SIMD2(repeating: .infinity), SIMD2(repeating: -.infinity))) {
            (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
        }
    }
}
