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
