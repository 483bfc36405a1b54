import Kinema
import KinemaCore
import KinemaMedia
import KinemaMotion
import KinemaVision

/// Turns frames into results for every mode: one service for all sockets, which share its models.
package struct LiveService: Sendable {
    let configuration: LiveConfiguration
    let turns: ModelTurns
    let uploadsInWork = UploadsInWork()
    /// Makes the analysis of a session.
    let makeAnalysis: @Sendable (StartRequest, LiveConfiguration) throws -> any FrameAnalysing

    /// Makes a service; its models are read in by ``prepare()``, or else when the first frame comes.
    package init(_ configuration: LiveConfiguration = LiveConfiguration()) {
        self.init(configuration) { try ModeChoice.analysis($0, $1) }
    }

    /// Makes a service with an analysis of its own.
    init(
        _ configuration: LiveConfiguration, turns: ModelTurns = ModelTurns(),
        analysis: @escaping @Sendable (StartRequest, LiveConfiguration) throws -> any FrameAnalysing
    ) {
        self.configuration = configuration
        self.turns = turns
        makeAnalysis = analysis
    }

    /// Serves one client until it has gone; nothing of the client is left behind then.
    package func serve(_ socket: some LiveSocket) async {
        await LiveConnection(socket, service: self).run()
    }

    /// Reads the models in, so that the first frame waits for none.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    package func prepare() async throws {
        let grey = VideoFrame(
            bitmap: Bitmap(width: 64, height: 64, red: 128, green: 128, blue: 128),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 30))
        var pipeline = PosePipeline.live(people: .all, precision: configuration.precision)
        pipeline.hands = HandPoseOptions(precision: configuration.precision)
        var follower = PoseFollower(pipeline)
        _ = try await turns.take { try follower.follow(grey) }
    }

    /// What can be chosen from.
    package func status() -> LiveStatus {
        LiveStatus(
            cameras: configuration.cameras(), inputs: configuration.inputs.map(\.name),
            exercises: ExerciseLibrary.all.map { .init(name: $0.name, title: $0.title) },
            classifiers: configuration.classifiers.map { .init(id: $0.id, name: $0.name, classes: $0.model.classes) })
    }
}

extension LiveService: LiveServing {}
