import Kinema
import KinemaCore

/// Turns frames into results for every mode: one service for all sockets, which share its models.
package struct LiveService: Sendable {
    /// The version of the interface, in `hello` and in the status.
    static let protocolVersion = 2

    let configuration: LiveConfiguration
    /// Who may use the models now.
    let models: FairSemaphore
    /// What becomes of a live source's frames while one is being analysed.
    private let policy: FrameChannelPolicy
    let activeUploads = ActiveUploads()
    /// Makes the analysis of a session.
    let makeAnalysis: @Sendable (StartRequest, LiveConfiguration) throws -> any FrameAnalysing

    /// Makes a service; its models are read in by ``prepare()``, or else when the first frame comes.
    package init(_ configuration: LiveConfiguration = LiveConfiguration()) {
        self.init(configuration, policy: .newest)
    }

    /// Makes a service with an analysis of its own, or one whose live sources lose no frame, however slow the machine.
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

    /// Makes a session of what a client asked for; uploads lose no frame.
    func session(_ request: StartRequest, _ outbox: Outbox) -> LiveSession {
        LiveSession(
            request, outbox: outbox, policy: request.source.isUpload ? .bounded(1) : policy,
            framesPerSecond: configuration.limits.framesPerSecond)
    }

    /// Serves one client until it has gone and everything of it has ended.
    package func serve(_ socket: some LiveSocket) async {
        await LiveConnection(socket, service: self).run()
    }

    /// Reads the models in, so that the first frame does not wait for them.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
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

    /// What can be chosen from.
    package func status() -> LiveStatus {
        LiveStatus(
            cameras: configuration.cameras(), inputs: configuration.inputs.map(\.name),
            exercises: configuration.exercises.map { .init(name: $0.name, title: $0.title) },
            classifiers: configuration.offeredClassifiers.map {
                .init(id: $0.id, name: $0.name, classes: $0.model.classes, made: $0.isMade ? true : nil)
            })
    }
}

extension LiveService: LiveServing {}
