import KinemaHistory
import Foundation
import Kinema
import KinemaDraw
import KinemaMedia
import KinemaPhones
import KinemaToss

/// Tracks people, checks the framing, and leaves the rest to the mode.
struct LiveAnalysis: FrameAnalysing {
    private let makeMode: @Sendable (_ aspectRatio: Double) throws -> any LiveMode
    private var mode: (any LiveMode)?
    private var tracker: PoseTracker?
    private var framing: FramingCheck?
    private var size = (width: 0, height: 0)
    /// Width by height of the first picture, whose coordinates the mode uses.
    private var aspectRatio = 1.0
    private var mostPeople = 0
    private let drawsLayers: Bool
    private var finder: LiveConfiguration.Finder
    private var crowd = CrowdCheck(namesModel: true)
    /// The name of the model that reads an upload.
    private var uploadModel: String?
    /// Commands before the first picture.
    private var early: [DrawingCommand] = []

    /// The mode is made with the first picture, which has the aspect ratio.
    init(
        drawsLayers: Bool = false, finder: LiveConfiguration.Finder = .init(),
        mode makeMode: @escaping @Sendable (_ aspectRatio: Double) throws -> any LiveMode
    ) {
        (self.finder, self.drawsLayers, self.makeMode) = (finder, drawsLayers, makeMode)
    }

    mutating func pipeline(for upload: VideoReader.AsyncFrames) async throws -> PosePipeline? {
        var pipeline = try makeMode(upload.frameSize.width / max(1, upload.frameSize.height)).pipeline
        finder.apply(to: &pipeline)
        pipeline.mode = .file
        if case .automatic = pipeline.model {
            _ = try pipeline.settle(on: await upload.sample(at: CrowdSurvey.places), file: "")
            finder.model = pipeline.model
        } else {
            crowd = CrowdCheck()
        }
        uploadModel = finder.model.name
        return pipeline
    }

    var standing: SessionStanding? { mode?.standing }

    var neededFrames: FrameSelection { (try? makeMode(1))?.neededFrames ?? .all }

    var crowdNote: String? {
        switch finder.model {
        case .blazePose, .automatic: crowd.note
        case .poseNet, .chosen: nil
        }
    }

    mutating func take(_ frame: VideoFrame) throws -> LiveFindings {
        if size != (frame.width, frame.height) {
            // Positions are invalid in a picture of another size, as after a phone was turned.
            size = (frame.width, frame.height)
            let mode = try mode ?? begin(frame)
            self.mode = mode
            var pipeline = mode.pipeline
            finder.apply(to: &pipeline)
            tracker = PoseTracker(pipeline)
        }
        guard let seen = try tracker?.track(frame) else { return LiveFindings() }
        return try take(seen)
    }

    mutating func take(_ seen: PosedFrame) throws -> LiveFindings {
        var mode = try mode ?? begin(seen.frame)
        mostPeople = max(mostPeople, seen.poses.count)
        crowd.take(seen)
        // A single owner while it changes, so it is not copied.
        self.mode = nil
        defer { self.mode = mode }
        let events = try mode.take(upright(seen))
        let framed = framing?.take(seen.poses, hands: seen.hands.count, at: seen.frame.time)
        return LiveFindings(
            poses: seen.poses, hands: seen.hands, faults: mode.faults, events: events,
            layers: drawsLayers ? mode.layers : [], state: mode.state ?? framed ?? framing?.state)
    }

    mutating func catchUp() throws { try tracker?.catchUp() }

    mutating func apply(_ command: DrawingCommand) {
        if mode == nil { early.append(command) } else { mode?.apply(command) }
    }

    mutating func finish() -> [AnalysisEvent] { mode?.finish() ?? [] }

    mutating func write(to json: inout JSONText) { mode?.write(to: &json) }

    func summarise(_ session: inout StoredSession) {
        session.people = mostPeople
        if mode?.pipeline.findsBodies == true { session.model = uploadModel }
        mode?.summarise(&session)
    }

    private mutating func begin(_ frame: VideoFrame) throws -> any LiveMode {
        aspectRatio = frame.aspectRatio
        var mode = try makeMode(aspectRatio)
        for command in early { mode.apply(command) }
        early = []
        framing = FramingCheck(mode.subject)
        return mode
    }

    /// The people in coordinates with the scale of the first picture.
    private func upright(_ seen: PosedFrame) -> PosedFrame {
        let stretch = seen.frame.aspectRatio / aspectRatio
        guard abs(stretch - 1) > 0.01 else { return seen }
        func stretched(_ pose: Pose) -> Pose {
            var pose = pose
            for key in pose.keypoints.keys { pose.keypoints[key]?.location.x *= stretch }
            return pose
        }
        let hands = seen.hands.map { hand in
            var hand = hand
            hand.pose = stretched(hand.pose)
            return hand
        }
        return PosedFrame(frame: seen.frame, poses: seen.poses.map(stretched), hands: hands)
    }
}

extension LiveAnalysis {
    init(_ request: StartRequest, _ configuration: LiveConfiguration) throws(LiveProblem) {
        let make: @Sendable (_ aspectRatio: Double) throws -> any LiveMode
        let precision = configuration.precision
        switch request.mode {
        case .poses: make = { _ in PosesMode(request, precision: precision) }
        case .count: make = { _ in CountMode(request, precision: precision) }
        case .draw: make = { DrawMode(aspectRatio: $0, precision: precision) }
        case .coach:
            let exercises = configuration.offeredExercises
            let exercise = try Self.exercise(request.exercise, in: exercises)
            make = { _ in CoachMode(request, exercise: exercise, among: exercises, precision: precision) }
        case .toss:
            let board = try Self.board(request.board)
            let throwClassifier = try Self.throwClassifier(request.classifier, in: configuration)
            make = { _ in
                TossMode(request, board: board, throwClassifier: throwClassifier, precision: precision)
            }
        case .classify:
            let model = try Self.model(request.classifier, in: configuration)
            make = { _ in ClassifyMode(request, model: model, precision: precision) }
        }
        self.init(drawsLayers: request.overlay == true, finder: configuration.finder, mode: make)
    }

    /// Nil if the exercise is to be recognised.
    private static func exercise(_ name: String?, in exercises: [Exercise]) throws(LiveProblem) -> Exercise? {
        guard let name, name.lowercased() != "auto" else { return nil }
        guard let exercise = ExerciseLibrary.exercise(named: name, in: exercises) else {
            throw LiveProblem(.badMessage, "unknown exercise; choose one that the status lists, or auto")
        }
        return exercise
    }

    private static func model(
        _ id: String?, in configuration: LiveConfiguration
    ) throws(LiveProblem) -> any ActionClassifier {
        guard let chosen = configuration.offeredClassifiers.first(where: { $0.id == id }) else {
            throw LiveProblem(.badMessage, "unknown classifier; choose one that the status lists")
        }
        return chosen.model
    }

    /// Nil if posture decides the type of throws.
    private static func throwClassifier(
        _ id: String?, in configuration: LiveConfiguration
    ) throws(LiveProblem) -> (any ThrowTypeClassifier)? {
        guard let id else { return nil }
        let model = try model(id, in: configuration)
        do { return try TrainedThrowClassifier(model) } catch {
            throw LiveProblem(.badMessage, LiveProblem(error).message)
        }
    }

    private static func board(_ numbers: [Double]?) throws(LiveProblem) -> NormalizedBox? {
        guard let numbers else { return nil }
        guard let box = NormalizedBox(numbers) else {
            throw LiveProblem(.badMessage, "board must be x, y, width and height within the frame, each 0 to 1")
        }
        return box
    }
}

extension LiveConfiguration.Finder {
    func apply(to pipeline: inout PosePipeline) {
        (pipeline.model, pipeline.device) = (model, device)
        pipeline.options.holdsPeopleAtRest = holdsPeopleAtRest
    }
}
