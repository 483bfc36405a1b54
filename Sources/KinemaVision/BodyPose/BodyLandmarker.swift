import Foundation
package import KinemaCore
import KinemaMedia

/// Finds the landmarks of a body in a region: sample, infer, refine with the heatmap, map back to the picture.
struct BodyLandmarker: Sendable {
    /// The minimum probability that the region shows a person; MediaPipe's value.
    static let minimumPresence: Float = 0.5
    /// The minimum probability for a tracked person; it is lower so that a blurred frame does not end a track.
    static let minimumTrackedPresence: Float = 0.4

    /// The side of the model's input, pixels.
    static let input = 256
    private static let grid = 64
    private static let channels = 39
    /// The radius in cells of the heatmap window that refines a landmark (MediaPipe: kernel 7).
    private static let windowRadius = 3
    /// The minimum peak of a heatmap window that refines a landmark (MediaPipe).
    private static let minimumPeak: Float = 0.5

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        model = try store.model(ModelCatalogue.bodyLandmarks, precision: precision)
    }

    /// The body in the region; nil when there is none.
    func body(in frame: VideoFrame, _ region: Region, isTracked: Bool) throws -> BodyLandmarks? {
        guard region.isValid(for: SIMD2(Double(frame.width), Double(frame.height))) else { return nil }
        let body = try landmarks(in: frame, region)
        return body.isPresent(isTracked: isTracked) ? body : nil
    }

    /// The body in the region, with what was seen of it; nil when there is none.
    ///
    /// With `last`, looks first whether anything has moved in that view since, and if not, says so without an inference.
    func look(in frame: VideoFrame, _ region: Region, since last: PersonView?) throws -> LandmarkPass.Look? {
        try model.withRequest { request in
            func view(of region: Region) -> PersonView {
                RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
                return PersonView(request.input, of: region, at: frame.time)
            }
            if let last, last.isStill(view(of: last.region)) { return .still }
            guard region.isValid(for: SIMD2(Double(frame.width), Double(frame.height))) else { return nil }
            let view = view(of: region)
            try request.infer()
            var body = decode(request.outputs, region)
            body.view = view
            return body.isPresent(isTracked: true) ? .body(body, region) : nil
        }
    }

    /// The landmarks in the region; they are meaningless if `presence` is low.
    func landmarks(in frame: VideoFrame, _ region: Region) throws -> BodyLandmarks {
        try model.withRequest { request in
            RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
            try request.infer()
            return decode(request.outputs, region)
        }
    }

    private func decode(_ outputs: [TensorView], _ region: Region) -> BodyLandmarks {
        let raw = outputs[0]
        let points = (0..<(BodyLandmarks.count + 2)).map { index in
            let start = SIMD2(Double(raw[5 * index]), Double(raw[5 * index + 1])) / Double(Self.input)
            return region.pixel(refined(start, index, outputs[2]))
        }
        return BodyLandmarks(
            region: region, presence: outputs[1][0],
            points: Array(points.prefix(BodyLandmarks.count)),
            visibility: (0..<BodyLandmarks.count).map { logistic(raw[5 * $0 + 3]) },
            pointPresence: (0..<BodyLandmarks.count).map { logistic(raw[5 * $0 + 4]) },
            world: world(outputs[3], angle: region.angle), score: outputs[1][0],
            middle: points[BodyLandmarks.count], rim: points[BodyLandmarks.count + 1])
    }

    /// The landmark moved to the heatmap's weighted mean around it, if the heatmap is confident there.
    private func refined(_ point: SIMD2<Double>, _ index: Int, _ heatmap: TensorView) -> SIMD2<Double> {
        let cell = point * Double(Self.grid)
        guard cell.x >= 0, cell.y >= 0, cell.x < Double(Self.grid), cell.y < Double(Self.grid) else { return point }
        let (column, row) = (Int(cell.x), Int(cell.y))
        var total: Float = 0
        var sum = SIMD2<Float>()
        var peak: Float = 0
        for y in max(0, row - Self.windowRadius)...min(Self.grid - 1, row + Self.windowRadius) {
            for x in max(0, column - Self.windowRadius)...min(Self.grid - 1, column + Self.windowRadius) {
                let weight = logistic(heatmap[(y * Self.grid + x) * Self.channels + index])
                total += weight
                sum += SIMD2(Float(x), Float(y)) * weight
                peak = max(peak, weight)
            }
        }
        guard peak >= Self.minimumPeak else { return point }
        return SIMD2(Double(sum.x / total), Double(sum.y / total)) / Double(Self.grid)
    }

    /// The world landmarks rotated by the region's angle; the model's y axis points down and z away from the camera.
    private func world(_ raw: TensorView, angle: Double) -> [SIMD3<Float>] {
        let (c, s) = (Float(cos(angle)), Float(sin(angle)))
        return (0..<BodyLandmarks.count).map { index in
            let (x, y, z) = (raw[3 * index], raw[3 * index + 1], raw[3 * index + 2])
            return SIMD3(c * x - s * y, -(s * x + c * y), -z)
        }
    }

    private func logistic(_ value: Float) -> Float {
        1 / (1 + exp(-value))
    }
}

/// The landmark model's output for one region, in pixels of the picture with the origin at the top left.
struct BodyLandmarks: Sendable {
    /// The number of body points; the model has two more that align the next region.
    static let count = 33

    /// The region the model ran on.
    var region: Region
    /// The probability that the region shows a person.
    var presence: Float
    /// The 33 points.
    var points: [SIMD2<Double>]
    /// The probability that each point is in view and not hidden.
    var visibility: [Float]
    /// The probability that each point is inside the region.
    var pointPresence: [Float]
    /// The 33 points in metres: x right, y up, z towards the camera, origin at the hip centre.
    var world: [SIMD3<Float>]
    /// The confidence that the person is real, 0...1: the presence, unless a search has verified the body.
    var score: Float
    /// The hip centre.
    var middle: SIMD2<Double>
    /// The point on the body's circle that gives the next region's size and rotation.
    var rim: SIMD2<Double>
    /// What the model saw, where people at rest are held.
    var view: PersonView?
    /// Whether these are the landmarks of an earlier frame, which stand because nothing has moved.
    var isHeld = false

    /// Whether there is a body at all.
    func isPresent(isTracked: Bool) -> Bool {
        let minimum = isTracked ? BodyLandmarker.minimumTrackedPresence : BodyLandmarker.minimumPresence
        return presence >= minimum && middle.x.isFinite && rim.x.isFinite
    }

    /// The confidence of a joint: it is visible and inside the region.
    func confidence(_ index: Int) -> Float {
        min(visibility[index], pointPresence[index])
    }
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
}

/// BlazePose's skeleton.
package enum BlazePoseSkeleton {
    /// The joints of the 33 points, in the model's order.
    package static let joints: [JointKey] = [
        .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter, .leftEar, .rightEar,
        .leftMouth, .rightMouth, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
        .leftLittleFinger, .rightLittleFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb,
        .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel, .rightHeel, .leftFootTip,
        .rightFootTip,
    ]

    /// Vision's joints that are the midpoint of two BlazePose points.
    package static let middles: [(key: JointKey, between: (Int, Int))] = [(.neck, (11, 12)), (.root, (23, 24))]
}
