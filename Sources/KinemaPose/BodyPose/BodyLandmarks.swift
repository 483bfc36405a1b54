import KinemaSampling
import Foundation
import KinemaCore

/// The landmark model's output for one region, in pixels of the picture with the origin at the top left.
struct BodyLandmarks: Sendable {
    /// The number of body points; the model has two more that align the next region.
    static let count = 33

    var region: Region
    var presence: Float
    var points: [SIMD2<Double>]
    var visibility: [Float]
    var pointPresence: [Float]
    /// The 33 points in metres: x right, y up, z towards the camera, origin at the hip centre.
    var world: [SIMD3<Float>]
    /// The confidence that the person is real, 0...1: the presence, unless a search has verified the body.
    var score: Float
    var middle: SIMD2<Double>
    /// The point on the body's circle that gives the next region's size and rotation.
    var rim: SIMD2<Double>
    /// The probability that a pixel of the model's input shows the body, 0...255, row by row; nil unless asked for.
    var mask: [UInt8]?
    var view: PersonView?
    var isHeld = false

    func isPresent(isTracked: Bool) -> Bool {
        let minimum = isTracked ? BodyLandmarker.minimumTrackedPresence : BodyLandmarker.minimumPresence
        return presence >= minimum && middle.x.isFinite && rim.x.isFinite
    }

    var extent: BodyExtent { BodyExtent(middle: middle, size: size) }

    /// The confidence of a joint: it is visible and inside the region.
    func confidence(_ index: Int) -> Float { min(visibility[index], pointPresence[index]) }
}

extension BodyLandmarks {
    /// The pose normalised to a picture of the given size, origin at the lower left.
    func pose(id: Int?, width: Int, height: Int) -> Pose {
        var keypoints: [JointKey: JointPoint] = Dictionary(minimumCapacity: 40)
        var keypoints3D: [JointKey: JointPoint3D] = Dictionary(minimumCapacity: 40)
        func add(_ key: JointKey, _ point: SIMD2<Double>, _ position: SIMD3<Float>, _ confidence: Float) {
            let location = CGPoint(x: point.x / Double(width), y: 1 - point.y / Double(height))
            keypoints[key] = JointPoint(key, location: location, confidence: confidence)
            keypoints3D[key] = JointPoint3D(key, position: position, confidence: confidence)
        }
        for (index, key) in BlazePoseSkeleton.joints.enumerated() {
            add(key, points[index], world[index], confidence(index))
        }
        for (key, (a, b)) in BlazePoseSkeleton.middles {
            add(key, (points[a] + points[b]) / 2, (world[a] + world[b]) / 2, min(confidence(a), confidence(b)))
        }
        var pose = Pose(from: keypoints, keypoints3D: keypoints3D, id: id, confidence: score)
        pose.isHeld = isHeld
        return pose
    }

    /// The part of a model's pose that tracking needs: its joints at BlazePose's indices, with all others invisible.
    init(_ pose: Pose, width: Int, height: Int) {
        let size = SIMD2(Double(width), Double(height))
        var points = [SIMD2<Double>](repeating: size / 2, count: Self.count)
        var visibility = [Float](repeating: 0, count: Self.count)
        for (index, key) in BlazePoseSkeleton.joints.enumerated() {
            guard let joint = pose.keypoints[key] else { continue }
            points[index] = SIMD2(joint.location.x, 1 - joint.location.y) * size
            visibility[index] = joint.confidence
        }
        let clear = points.indices.filter { visibility[$0] >= 0.3 }
        let shown = clear.isEmpty ? Array(points.indices) : clear
        // Shoulders and hips are steadier than arms and legs.
        let trunk = [11, 12, 23, 24].filter(shown.contains)
        let steady = (trunk.isEmpty ? shown : trunk).map { points[$0] }
        let middle = steady.reduce(.zero, +) / Double(steady.count)
        let corners = shown.map { points[$0] }.bounds
        // About half the person's height, like the radius of BlazePose's circle.
        let radius = max(1, (corners.high - corners.low).max() / 2)
        self.init(
            region: Region(center: middle, side: 2.5 * radius, angle: 0), presence: pose.confidence, points: points,
            visibility: visibility, pointPresence: visibility, world: [], score: pose.confidence, middle: middle,
            rim: middle - SIMD2(0, radius))
    }
}

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

/// Where a body is, in pixels.
struct BodyExtent: Sendable, Codable {
    var middle: SIMD2<Double>
    var size: Double
}

extension Region {
    /// The region of a body by MediaPipe's rule: the side is 2.5 times the distance, and `middle` to `rim` points up.
    init(middle: SIMD2<Double>, rim: SIMD2<Double>) {
        let line = rim - middle
        self.init(center: middle, side: 2 * 1.25 * line.length, angle: .pi / 2 - atan2(-line.y, line.x))
    }

    /// A model's points in metres, rotated by the region's angle: x right, y up, z towards the camera.
    func world(_ raw: TensorView, count: Int) -> [SIMD3<Float>] {
        let (c, s) = (Float(cos(angle)), Float(sin(angle)))
        return (0..<count).map { index in
            let (x, y, z) = (raw[3 * index], raw[3 * index + 1], raw[3 * index + 2])
            return SIMD3(c * x - s * y, -(s * x + c * y), -z)
        }
    }
}
