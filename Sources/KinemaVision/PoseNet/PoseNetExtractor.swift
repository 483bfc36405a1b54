public import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds and tracks the body poses of all people in a frame with a PoseNet model.
///
/// Poses have 17 joints plus neck and root, and no depth. Pass the frames of a stream in order: people then keep their
/// number (`Pose.id`) from frame to frame. In a single picture they are numbered by confidence.
public struct PoseNetExtractor: Transformer, Sendable {
    /// The model and the options of decoding.
    public let options: PoseNetOptions
    private let trackers: TrackerCache<ModelTracker>

    /// Creates an extractor from a model file.
    ///
    /// Throws `.unreadableInput` when the file does not exist or is not a PoseNet model.
    public init(contentsOf model: URL, configuration: PoseBuilderConfiguration = .init()) throws(KinemaError) {
        self.init(options: PoseNetOptions(model: try PoseNetModel(contentsOf: model), configuration: configuration))
    }

    /// Creates an extractor with options; `store` provides the compiled models.
    public init(options: PoseNetOptions, store: ModelStore = .shared) {
        self.options = options
        trackers = TrackerCache { try ModelTracker(options: options, store: store) }
    }

    /// The poses of all people in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library is not installed, `.unreadableInput` when the model cannot
    /// be compiled, `.invalidArgument` when the configuration is invalid, `.analysisFailed` when inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    /// The poses of all people in the frame, for callers that run on their own thread.
    public func poses(in frame: VideoFrame) throws -> [Pose] {
        try trackers.update(frame)
    }
}

extension BodyLandmarks {
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
        let corners = shown.reduce((low: points[shown[0]], high: points[shown[0]])) { box, index in
            (pointwiseMin(box.low, points[index]), pointwiseMax(box.high, points[index]))
        }
        // About half the person's height, like the radius of BlazePose's circle.
        let radius = max(1, (corners.high - corners.low).max() / 2)
        self.init(
            region: Region(center: middle, side: 2.5 * radius, angle: 0), presence: pose.confidence, points: points,
            visibility: visibility, pointPresence: visibility, world: [], score: pose.confidence, middle: middle,
            rim: middle - SIMD2(0, radius))
    }
}
