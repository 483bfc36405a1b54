import Foundation
import KinemaCore
import KinemaMedia

/// Finds the landmarks of the hand in a region: sample, infer, turn back into the picture.
struct HandLandmarker: Sendable {
    /// Below this probability of a hand none is there; MediaPipe's value.
    static let minimumPresence: Float = 0.5

    private static let input = 224

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        model = try store.model(ModelCatalogue.handLandmarks, precision: precision)
    }

    /// The hand in the region; nil when there is none.
    func hand(in frame: VideoFrame, _ region: Region) throws -> HandLandmarks? {
        guard region.isSound(for: SIMD2(Double(frame.width), Double(frame.height))) else { return nil }
        let hand = try model.withRequest { request in
            RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
            try request.infer()
            return decode(request.outputs, region)
        }
        guard hand.presence >= Self.minimumPresence else { return nil }
        return hand.points.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? hand : nil
    }

    private func decode(_ outputs: [TensorView], _ region: Region) -> HandLandmarks {
        let (raw, world) = (outputs[0], outputs[3])
        let (c, s) = (Float(cos(region.angle)), Float(sin(region.angle)))
        return HandLandmarks(
            region: region, presence: outputs[1][0],
            // The model's "left" is meant for mirrored pictures, so it is the right hand in a picture as it is.
            rightness: outputs[2][0],
            points: (0..<HandLandmarks.count).map {
                region.pixel(SIMD2(Double(raw[3 * $0]), Double(raw[3 * $0 + 1])) / Double(Self.input))
            },
            // Turned back by the region's angle; the model's y points down and z away from the camera.
            world: (0..<HandLandmarks.count).map {
                let (x, y, z) = (world[3 * $0], world[3 * $0 + 1], world[3 * $0 + 2])
                return SIMD3(c * x - s * y, -(s * x + c * y), -z)
            })
    }
}

/// Finds hands in a picture or a part of it, by their palms.
struct HandDetector: Sendable {
    private let detector: AnchorDetector

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        detector = try AnchorDetector(
            ModelCatalogue.palmDetector, anchors: AnchorGrid.palms, store: store, precision: precision)
    }

    /// The palms in a square part of the picture, best first; `nil` looks at the whole picture.
    func detect(
        in frame: VideoFrame, part: Region? = nil, threshold: Float = AnchorDetector.threshold
    ) throws -> [AnchorDetection] {
        try detector.detect(in: frame, part: part, threshold: threshold)
    }
}

extension AnchorDetection {
    /// The square in which a hand's landmarks are looked for, MediaPipe's rule: the palm's box, turned so that the wrist
    /// (keypoint 0) lies below the middle finger's knuckle (2), shifted by half towards it, 2.6 times as large.
    var handRegion: Region {
        let line = keypoints[2] - keypoints[0]
        let angle = Double.pi / 2 - atan2(-line.y, line.x)
        let size = SIMD2(box.z - box.x, box.w - box.y)
        let center = SIMD2(box.x + box.z, box.y + box.w) / 2 + 0.5 * size.y * SIMD2(sin(angle), -cos(angle))
        return Region(center: center, side: 2.6 * size.max(), angle: angle)
    }
}

/// What the landmark model says about one region; pixels of the picture, origin at the top left.
struct HandLandmarks: Sendable {
    /// The number of points.
    static let count = 21

    /// Where the model looked.
    var region: Region
    /// The probability that a hand is in the region.
    var presence: Float
    /// How likely it is a right hand, as the person sees it, 0...1.
    var rightness: Float
    /// The 21 points in the order of `HandSkeleton`.
    var points: [SIMD2<Double>]
    /// The 21 points in metres: x right, y up, z towards the camera, from the middle of the hand.
    var world: [SIMD3<Float>]

    /// The points that say where the hand is: wrist, thumb up to its last joint, the four fingers' first two joints.
    ///
    /// MediaPipe's choice (hand_landmark_landmarks_to_roi); the finger tips move too much to steer a region.
    private static let steering = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

    /// The square in which the hand is looked for in the next frame, MediaPipe's rule: the box of the steering points in
    /// the hand's own direction, shifted by a tenth towards the fingers, twice as large.
    var next: Region {
        let wrist = points[0]
        // The index, middle and ring fingers' knuckles, the middle one weighing as much as the others together.
        let knuckles = ((points[5] + points[13]) / 2 + points[9]) / 2
        let angle = Double.pi / 2 - atan2(-(knuckles.y - wrist.y), knuckles.x - wrist.x)
        let (c, s) = (cos(angle), sin(angle))
        var low = SIMD2(repeating: Double.infinity)
        var high = -low
        for index in Self.steering {
            let point = points[index]
            let turned = SIMD2(c * point.x + s * point.y, c * point.y - s * point.x)
            low = pointwiseMin(low, turned)
            high = pointwiseMax(high, turned)
        }
        let size = high - low
        let middle = (low + high) / 2 - SIMD2(0, 0.1 * size.y)
        return Region(
            center: SIMD2(c * middle.x - s * middle.y, s * middle.x + c * middle.y), side: 2 * size.max(),
            angle: angle)
    }

    /// From the wrist to the middle finger's knuckle, pixels.
    var length: Double { (points[9] - points[0]).length }
}

extension HandLandmarks {
    /// The pose in Kinema's terms: normalised to a picture of the given size, origin at the lower left.
    ///
    /// The model says how sure it is of the hand, not of each joint, so all joints have the hand's confidence.
    func pose(id: Int?, width: Int, height: Int) -> Pose {
        var keypoints: [JointKey: JointPoint] = Dictionary(minimumCapacity: 24)
        var keypoints3D: [JointKey: JointPoint3D] = Dictionary(minimumCapacity: 24)
        for (index, key) in HandSkeleton.joints.enumerated() {
            let location = CGPoint(x: points[index].x / Double(width), y: 1 - points[index].y / Double(height))
            keypoints[key] = JointPoint(key, location: location, confidence: presence)
            keypoints3D[key] = JointPoint3D(key, position: world[index], confidence: presence)
        }
        return Pose(from: keypoints, keypoints3D: keypoints3D, id: id, confidence: presence)
    }
}
