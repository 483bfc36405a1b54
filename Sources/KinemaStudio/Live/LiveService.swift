import Kinema

/// The live sessions of all sockets, which share the models.
package struct LiveService: LiveServing {
    static let protocolVersion = 2

    let configuration: LiveConfiguration
    let models: FairSemaphore
    /// For a live source's frames.
    private let policy: FrameChannelPolicy
    let activeSessions = ActiveSessions()
    let makeAnalysis: @Sendable (StartRequest, LiveConfiguration) throws -> any FrameAnalysing

    /// Makes a service; ``prepare()`` or else the first frame loads the models.
    package init(_ configuration: LiveConfiguration = LiveConfiguration()) {
        self.init(configuration, policy: .newest)
    }

    /// For tests, with another analysis or lossless live sources.
    init(
        _ configuration: LiveConfiguration, models: FairSemaphore = FairSemaphore(),
        policy: FrameChannelPolicy = .newest,
        analysis: @escaping @Sendable (StartRequest, LiveConfiguration) throws -> any FrameAnalysing = {
            try LiveAnalysis($0, $1)
        }
    ) {
        (self.configuration, self.models, self.policy) = (configuration, models, policy)
        makeAnalysis = analysis
    }

    /// Makes a session; uploads lose no frame.
    func session(_ request: StartRequest, _ outbox: Outbox) -> LiveSession {
        LiveSession(
            request, outbox: outbox, policy: request.source.isUpload ? .bounded(1) : policy,
            framesPerSecond: configuration.limits.framesPerSecond)
    }

    /// Serves one client until it disconnects and its session has ended.
    package func serve(_ socket: some LiveSocket) async { await LiveConnection(socket, service: self).run() }

    /// Loads the models, so that the first frame does not wait; throws `.missingComponent` if one is not installed.
    package func prepare() async throws {
        let grey = VideoFrame(
            bitmap: Bitmap(width: 64, height: 64, red: 128, green: 128, blue: 128),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 30))
        var pipeline = PosePipeline.live(people: .all, precision: configuration.precision)
        pipeline.hands = HandPoseOptions(precision: configuration.precision)
        configuration.finder.apply(to: &pipeline)
        var tracker = PoseTracker(pipeline)
        _ = try await models.withPermit { try tracker.track(grey) }
    }

    package func status() -> LiveStatus {
        LiveStatus(
            cameras: configuration.cameras(), inputs: configuration.inputs.map(\.name),
            exercises: configuration.offeredExercises.map { .init(name: $0.name, title: $0.title) },
            classifiers: configuration.offeredClassifiers.map {
                .init(id: $0.id, name: $0.name, classes: $0.model.classes, made: $0.isMade ? true : nil)
            })
    }
}
