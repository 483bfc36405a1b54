public import Foundation
public import KinemaCore
public import KinemaMedia

/// People of one stream as PoseNet finds them in each frame anew, numbered by who they were in the frame before.
package struct PoseNetTracker: StreamTracker {
    /// A body may have moved so far between two frames, in body sizes, and so much more a second: what a person covers.
    private static let reach = (least: 0.5, perSecond: 2.0)

    private let detector: PoseNetDetector
    private var roster = PersonRoster()
    private var shots = ShotBoundaryDetector()
    private var lastTime: TimeInterval?

    /// Who was found in a frame, before anyone is numbered.
    package struct Look: Sendable {
        let people: [DecodedPose]
    }

    /// Prepares the model.
    package init(options: PoseNetOptions, store: ModelStore = .shared) throws {
        detector = try PoseNetDetector(options: options, store: store)
    }

    /// Finds everyone in a frame; needs no frame before it, so several frames may be looked at at once.
    package func look(at frame: VideoFrame) throws -> Look {
        Look(people: try detector.people(in: frame))
    }

    /// The people in the stream's next frame, by their numbers.
    package mutating func update(_ frame: VideoFrame) throws -> [Pose] {
        update(frame, seen: try look(at: frame))
    }

    /// The people in the stream's next frame, which was looked at already.
    package mutating func update(_ frame: VideoFrame, seen: Look) -> [Pose] {
        let model = detector.options.model
        let inputSize = CGSize(width: model.inputWidth, height: model.inputHeight)
        var poses = seen.people.map { $0.pose(inputSize: inputSize) }
        if frame.isPicture {
            for index in poses.indices { poses[index].id = index + 1 }
            return poses
        }
        if shots.isCut(frame) {
            roster.scatter()
        }
        let bodies = poses.map { BodyLandmarks($0, width: frame.width, height: frame.height) }
        follow(bodies, in: frame)
        // Every body found is on exactly one track.
        return roster.tracks.compactMap { track in
            guard let index = bodies.firstIndex(where: { $0.points == track.body.points }) else { return nil }
            poses[index].id = track.id
            poses[index].shot = shots.count
            return poses[index]
        }
    }

    private mutating func follow(_ bodies: [BodyLandmarks], in frame: VideoFrame) {
        let passed = max(0, frame.time - (lastTime ?? frame.time))
        lastTime = frame.time
        let matches = matches(of: bodies, within: Self.reach.least + Self.reach.perSecond * passed)
        func sight(_ body: BodyLandmarks) -> PersonRoster.Sighting {
            PersonRoster.Sighting(body: body, appearance: Appearance(of: body, in: frame))
        }
        roster.follow(matches.map { $0.map { sight(bodies[$0]) } }, at: frame.time, areDistinct: true)
        for index in bodies.indices where !matches.contains(index) {
            roster.welcome(sight(bodies[index]), at: frame.time)
        }
    }

    /// The body that continues each track, the nearest pairs first; nil where none is within reach.
    private func matches(of bodies: [BodyLandmarks], within reach: Double) -> [Int?] {
        var pairs: [(distance: Double, track: Int, body: Int)] = []
        for (index, track) in roster.tracks.enumerated() {
            for body in bodies.indices {
                let distance = track.body.distance(to: bodies[body])
                if distance <= reach { pairs.append((distance, index, body)) }
            }
        }
        var matches = [Int?](repeating: nil, count: roster.tracks.count)
        for pair in pairs.sorted(by: { ($0.distance, $0.track, $0.body) < ($1.distance, $1.track, $1.body) })
        where matches[pair.track] == nil && !matches.contains(pair.body) {
            matches[pair.track] = pair.body
        }
        return matches
    }
}

/// Finds the body poses of everyone in a frame with a PoseNet model, as `HumanBodyPoseExtractor` does with BlazePose.
///
/// Poses have 17 joints with neck and root, and no depth. Frames of one stream, given in order, are one scene: people
/// keep their number (`Pose.id`) from frame to frame; in a picture by itself they are numbered by their confidence.
public struct PoseNetExtractor: Transformer, Sendable {
    /// How bodies are found.
    public let options: PoseNetOptions
    private let scenes: SceneShelf<PoseNetTracker>

    /// Makes an extractor from a model's file.
    ///
    /// Throws `.unreadableInput` when there is no such file, or it is no PoseNet.
    public init(contentsOf model: URL, configuration: PoseBuilderConfiguration = .init()) throws(KinemaError) {
        self.init(options: PoseNetOptions(model: try PoseNetModel(contentsOf: model), configuration: configuration))
    }

    /// Makes an extractor with options of its own; `store` holds the compiled models.
    public init(options: PoseNetOptions, store: ModelStore = .shared) {
        self.options = options
        scenes = SceneShelf { try PoseNetTracker(options: options, store: store) }
    }

    /// The poses of everyone in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library is not installed, `.unreadableInput` when the model cannot
    /// be compiled, `.invalidArgument` when the configuration makes no sense, `.analysisFailed` when inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    /// The same without a task: for callers that bring their own thread.
    public func poses(in frame: VideoFrame) throws -> [Pose] {
        try scenes.update(frame)
    }
}

extension BodyLandmarks {
    /// A PoseNet pose as far as following people needs it: its joints at BlazePose's numbers, the others invisible.
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
        // Shoulders and hips stay while arms and legs move.
        let trunk = [11, 12, 23, 24].filter(shown.contains)
        let steady = (trunk.isEmpty ? shown : trunk).map { points[$0] }
        let middle = steady.reduce(.zero, +) / Double(steady.count)
        let corners = shown.reduce((low: points[shown[0]], high: points[shown[0]])) { box, index in
            (pointwiseMin(box.low, points[index]), pointwiseMax(box.high, points[index]))
        }
        // About half the person's height, as BlazePose's own circle tells it.
        let reach = max(1, (corners.high - corners.low).max() / 2)
        self.init(
            region: Region(center: middle, side: 2.5 * reach, angle: 0), presence: pose.confidence, points: points,
            visibility: visibility, pointPresence: visibility, world: [], score: pose.confidence, middle: middle,
            rim: middle - SIMD2(0, reach))
    }
}
