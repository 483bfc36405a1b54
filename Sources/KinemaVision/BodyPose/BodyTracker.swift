import Foundation
package import KinemaCore
package import KinemaMedia

/// Tracks the bodies of one stream with BlazePose or a chosen model: inference first, then an update of the tracks.
package struct BodyTracker: Sendable {
    // Exactly one of the two is set. They are separate properties so that each is mutated in place.
    private var blazePose: BodyPoseTracker?
    private var chosen: ModelTracker?

    /// What a model found in one frame, before the tracks are updated.
    package enum Inference: Sendable {
        case landmarks(LandmarkPass.Result)
        case detections(ModelTracker.Detections)
    }

    /// Prepares the models; `options` are BlazePose's.
    package init(_ model: BodyModel, options: BodyPoseOptions, store: ModelStore) throws {
        switch model {
        case .blazePose: blazePose = try BodyPoseTracker(options: options, store: store)
        case .poseNet(let options): chosen = try ModelTracker(options: options, store: store)
        case .chosen(let options): chosen = try ModelTracker(options: options, store: store)
        }
    }

    /// Loads what a tracker will need, in parallel, so that it is there when the first frame is; a tracker tells errors.
    package static func prepare(_ model: BodyModel, options: BodyPoseOptions, store: ModelStore) {
        if case .blazePose = model { store.prepare(ModelCatalogue.bodies, precision: options.precision) }
    }

    /// The inference for a frame, to run on any thread; pass `ahead` 1 while the previous frame is being processed.
    package mutating func inference(for frame: VideoFrame, ahead: Int) -> @Sendable () throws -> Inference {
        if let detections = chosen?.detections(in: frame, ahead: ahead) { return { .detections(try detections()) } }
        let pass = blazePose?.landmarkPass(for: frame, ahead: ahead)
        return { .landmarks(try pass?.run() ?? LandmarkPass.Result()) }
    }

    /// The people in the stream's next frame; with `searchesLater`, `catchUp` searches for newcomers.
    package mutating func update(
        _ frame: VideoFrame, with inference: Inference, searchesLater: Bool
    ) throws -> [Pose] {
        switch inference {
        case .landmarks(let result): try blazePose?.update(frame, with: result, searchesLater: searchesLater) ?? []
        case .detections(let detections): try chosen?.update(frame, with: detections) ?? []
        }
    }

    /// Runs a search for newcomers that was postponed.
    package mutating func catchUp() throws {
        try blazePose?.catchUp()
    }
}

/// One run of the landmark model over the regions of a frame where tracked people are expected.
///
/// A pass changes no state, so it can run on another thread while the previous frame is being finished.
package struct LandmarkPass: Sendable {
    /// What a look at one person gave.
    enum Look: Sendable {
        /// The body found, and the region searched.
        case body(BodyLandmarks, Region)
        /// Nothing has moved.
        case still
    }

    /// What a pass found.
    package struct Result: Sendable {
        /// By person number; none for a person who was not found.
        fileprivate(set) var looks: [Int: Look] = [:]
    }

    /// Where a person is expected.
    struct Expectation: Sendable {
        var id: Int
        var region: Region
        /// What was last seen of a person who may be at rest.
        var lastView: PersonView?
    }

    let frame: VideoFrame
    let people: [Expectation]
    let landmarker: BodyLandmarker
    /// Whether to keep what was seen, to hold people at rest.
    let keepsViews: Bool

    /// Runs the landmark model on every region.
    package func run() throws -> Result {
        var result = Result()
        for person in people {
            result.looks[person.id] =
                if keepsViews {
                    try landmarker.look(in: frame, person.region, since: person.lastView)
                } else {
                    try landmarker.body(in: frame, person.region, isTracked: true).map { .body($0, person.region) }
                }
        }
        return result
    }
}

/// Predicts a body's next region from its two smoothed alignment points.
///
/// MediaPipe smooths these points even when landmark smoothing is off.
struct RegionPredictor: Sendable {
    /// One Euro filter on pixels scaled by region size: min cutoff 0.01, beta 10, derivative cutoff 1 (MediaPipe).
    private var filters = [OneEuroFilter](
        repeating: OneEuroFilter(minimumCutoff: 0.01, beta: 10, derivativeCutoff: 1), count: 4)

    /// Time in steps of 1/30 s, whatever the stream's frame rate. MediaPipe's constants are tuned to these steps; with
    /// real frame intervals the regions and landmarks drift from those of the published model.
    private var time: TimeInterval = 0
    private static let step: TimeInterval = 1.0 / 30

    /// The region of the next frame, given the body of this one.
    mutating func region(after body: BodyLandmarks) -> Region {
        time += Self.step
        let line = body.rim - body.middle
        let scale = 1 / max(1e-6, 2 * line.length)
        let raw = [body.middle.x, body.middle.y, body.rim.x, body.rim.y]
        let smooth = filters.indices.map { filters[$0].filter(raw[$0], at: time, scale: scale) }
        return Region(middle: SIMD2(smooth[0], smooth[1]), rim: SIMD2(smooth[2], smooth[3]))
    }
}
