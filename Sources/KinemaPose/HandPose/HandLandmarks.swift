import KinemaSampling
public import Foundation
public import KinemaCore
public import KinemaMedia

/// The landmark model's output for one region, in pixels of the picture with the origin at the top left.
struct HandLandmarks: Sendable {
    static let count = 21

    var region: Region
    var presence: Float
    /// The probability that it is the person's right hand.
    var rightness: Float
    /// The 21 points in the order of `HandSkeleton`.
    var points: [SIMD2<Double>]
    /// The 21 points in metres: x right, y up, z towards the camera, origin at the hand's centre.
    var world: [SIMD3<Float>]

    /// The points that define the next region, by MediaPipe's choice (hand_landmark_landmarks_to_roi).
    private static let alignmentPoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

    /// The region to search in the next frame, by MediaPipe's rule: the alignment points' box, shifted a tenth towards
    /// the fingers and doubled in size.
    var nextRegion: Region {
        let wrist = points[0]
        // The mean of the index, middle and ring knuckles, with the weight of the middle one doubled.
        let outer: SIMD2<Double> = (points[5] + points[13]) / 2
        let knuckles = (outer + points[9]) / 2
        let angle = Double.pi / 2 - atan2(-(knuckles.y - wrist.y), knuckles.x - wrist.x)
        let (c, s) = (cos(angle), sin(angle))
        let (low, high) = Self.alignmentPoints.map { index -> SIMD2<Double> in
            let point = points[index]
            return SIMD2(c * point.x + s * point.y, c * point.y - s * point.x)
        }.bounds
        let size = high - low
        let middle = (low + high) / 2 - SIMD2(0, 0.1 * size.y)
        return Region(
            center: SIMD2(c * middle.x - s * middle.y, s * middle.x + c * middle.y), side: 2 * size.max(),
            angle: angle)
    }

    /// The side of the second reading's region, as a share of the first's. Of 71 labelled frames with touching tips,
    /// the first reads 15 as 0.3 hand lengths or more apart, this one 3; smaller regions lose stretched fingers.
    private static let closeUpShare = 0.85

    var closeUpRegion: Region {
        var region = nextRegion
        region.side *= Self.closeUpShare
        return region
    }

    /// The distance from the wrist to the middle finger's knuckle in pixels.
    var length: Double { (points[9] - points[0]).length }
}

extension HandLandmarks {
    /// The pose normalised to a picture of the given size, origin at the lower left, with the hand's confidence.
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

/// Finds the landmarks of a hand in a region: sample, infer, map back to the picture.
struct HandLandmarker: Sendable {
    /// The minimum probability that the region shows a hand; MediaPipe's value.
    static let minimumPresence: Float = 0.5

    private static let input = 224

    private let model: CompiledModelHandle

    init(store: ModelStore, precision: ModelStore.Precision) throws {
        model = try store.model(ModelCatalogue.handLandmarks, precision: precision)
    }

    func hand(in frame: VideoFrame, _ region: Region) throws -> HandLandmarks? {
        guard region.isValid(for: frame.size) else { return nil }
        let hand = try model.withRequest { request in
            RegionSampler.sample(frame, region, into: request.input, side: Self.input, border: .repeated)
            try request.infer()
            return decode(request.outputs, region)
        }
        guard hand.presence >= Self.minimumPresence else { return nil }
        return hand.points.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? hand : nil
    }

    private func decode(_ outputs: [TensorView], _ region: Region) -> HandLandmarks {
        let raw = outputs[0]
        return HandLandmarks(
            region: region, presence: outputs[1][0],
            // The model expects mirrored pictures, so its "left" is the right hand here.
            rightness: outputs[2][0],
            points: (0..<HandLandmarks.count).map {
                region.pixel(SIMD2(Double(raw[3 * $0]), Double(raw[3 * $0 + 1])) / Double(Self.input))
            }, world: region.world(outputs[3], count: HandLandmarks.count))
    }
}

/// The options of the search for hands.
public struct HandPoseOptions: Sendable, Hashable {
    /// The maximum number of hands to track at once; larger hands take precedence.
    public var maximumHandCount: Int
    /// The interval between searches while fewer hands than the maximum are in view, in seconds.
    package var searchInterval: TimeInterval
    /// The numeric precision of inference.
    package var precision: ModelStore.Precision
    /// Whether to read each hand a second time from a tighter region and report that reading.
    ///
    /// It detects fingertips that touch in front of skin and costs another inference per hand.
    public var readsCloseUp: Bool

    /// Creates options; the defaults track both hands of one person.
    public init(
        maximumHandCount: Int = 2, searchInterval: TimeInterval = 0.1, precision: ModelStore.Precision = .f32,
        readsCloseUp: Bool = false
    ) {
        self.maximumHandCount = max(0, maximumHandCount)
        (self.searchInterval, self.precision, self.readsCloseUp) = (searchInterval, precision, readsCloseUp)
    }
}

/// Detects and tracks the hands in a frame.
///
/// Pass the frames of a stream in order: hands keep their number (`Pose.id`), and tracking restarts when time goes
/// back. An extractor can serve several streams at once.
public struct HumanHandPoseExtractor: Transformer, Sendable {
    private let trackers: TrackerCache<HandPoseTracker>

    /// Creates an extractor.
    public init(options: HandPoseOptions = HandPoseOptions()) {
        trackers = TrackerCache { try HandPoseTracker(options: options) }
    }

    /// The poses of the hands in the frame, 21 joints each, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try hands(in: input).map(\.pose)
    }

    package func hands(in frame: VideoFrame) throws -> [HumanHandPoseObservation] { try trackers.update(frame) }
}
