import KinemaHistory
package import KinemaHTTP
package import KinemaPhones
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import Synchronization

/// The live sessions of all sockets, which share the models.
package struct LiveService: LiveServing {
    static let protocolVersion = 2

    let configuration: LiveConfiguration
    let models: FairSemaphore
    /// For a live source's frames.
    private let policy: FrameChannelPolicy
    let activeSessions = ActiveSessions()
    /// At which uploads take turns.
    let uploadTurns: FairSemaphore
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
        uploadTurns = FairSemaphore(permits: configuration.uploadsAtOnce)
        makeAnalysis = analysis
    }

    /// Makes a session; uploads lose no frame.
    func session(
        _ request: StartRequest, _ outbox: Outbox, from client: LiveSender
    ) throws(LiveProblem) -> LiveSession {
        let id = request.continues ?? UUID()
        try client.check(request)
        guard
            let place = client.begin(
                id, name: request.name, mode: request.mode.rawValue, target: request.plan?.target)
        else { throw .tooManyPhones(client.mostPhones) }
        return LiveSession(
            request, id: id, place: place, outbox: outbox, policy: request.source.isUpload ? .bounded(1) : policy,
            framesPerSecond: configuration.limits.framesPerSecond)
    }

    /// Counts an upload as used every few seconds, so that it is kept while it waits, until the task is cancelled.
    func keepInUse(_ upload: String) -> Task<Void, any Error> {
        let configuration = configuration
        return Task {
            while !Task.isCancelled {
                _ = await configuration.upload(upload)
                try await Task.sleep(for: .seconds(3))
            }
        }
    }

    /// Serves one client until it disconnects and its session has ended.
    package func serve(_ socket: some LiveSocket, from client: LiveSender = .owner) async {
        await LiveConnection(socket, service: self, client: client).run()
    }

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

/// The client's side of a session from `start` to `ended`; `SessionRunner` does the work, and they share `frames`.
final class LiveSession: Sendable {
    enum Ending: String, Sendable {
        case stopped, finished, replaced, failed
    }

    private struct State {
        var admission: FrameAdmission
        var commands: [DrawingCommand] = []
        var status: SessionState?
        var ending: Ending?
    }

    let id: UUID
    let place: RoomPlace
    let date = Date()
    let request: StartRequest
    let outbox: Outbox
    let frames: FrameChannel<LiveFrame>
    private let framesPerSecond: Int
    private let state: Mutex<State>

    /// More than any person sends between two frames.
    private static let mostCommands = 64

    init(
        _ request: StartRequest, id: UUID, place: RoomPlace, outbox: Outbox, policy: FrameChannelPolicy,
        framesPerSecond: Int
    ) {
        (self.request, self.outbox, self.framesPerSecond) = (request, outbox, framesPerSecond)
        (self.id, self.place) = (id, place)
        state = Mutex(State(admission: FrameAdmission(framesPerSecond: framesPerSecond)))
        frames = FrameChannel(policy) { frame in outbox.post(.dropped(frame.sequence)) }
    }

    var ending: Ending? { state.withLock { $0.ending } }

    /// Takes a client's frame; false after the end.
    func receive(_ frame: FrameMessage) -> Bool {
        guard ending == nil else { return false }
        let now = ContinuousClock.now
        switch state.withLock({ $0.admission.check(frame, at: now) }) {
        case .admitted(let microseconds):
            let picture = LiveFrame.Content.encoded(frame.picture, microseconds: microseconds)
            return frames.offer(LiveFrame(sequence: frame.sequence, arrival: now, content: picture)) == true
        case .tooFast(let isReported):
            frames.refuse()
            outbox.post(.dropped(frame.sequence))
            if isReported {
                outbox.post(.error(LiveProblem(.tooFast, "send at most \(framesPerSecond) frames a second")))
            }
        case .refused(let problem):
            frames.refuse()
            outbox.post(.error(problem))
        }
        return true
    }

    /// Counts a frame with an unreadable header as dropped.
    func refuseUnreadableFrame() { if ending == nil, request.source.isClient { frames.refuse() } }

    func receive(_ command: DrawingCommand) {
        state.withLock { state in
            if state.commands.count < Self.mostCommands { state.commands.append(command) }
        }
    }

    /// The commands since the last frame.
    func takeCommands() -> [DrawingCommand] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Ends the session after the current frame; waiting frames are dropped.
    func end(_ reason: Ending) {
        state.withLock { $0.ending = $0.ending ?? reason }
        frames.cancel()
    }

    func report(_ status: SessionState) {
        let isNew = state.withLock { state in
            defer { state.status = status }
            return state.status != status
        }
        guard isNew else { return }
        outbox.post(.state(status))
        place.report(status.name.rawValue, status.message)
    }
}

/// The offers of a live service, in `GET /api/status`.
package struct LiveStatus: Sendable, Equatable, Codable {
    package struct Exercise: Sendable, Equatable, Codable {
        package var name: String
        package var title: String
    }

    package struct Classifier: Sendable, Equatable, Codable {
        package var id: String
        package var name: String
        package var classes: [String]
        package var made: Bool?
    }

    package var cameras: [LiveConfiguration.Camera]
    package var inputs: [String]
    package var exercises: [Exercise]
    package var classifiers: [Classifier]
}

struct LiveFrame: Sendable {
    enum Content: Sendable {
        /// A client's picture, and its time range in microseconds from the session's first.
        case encoded(FrameMessage.Picture, microseconds: Range<Int>)
        case decoded(VideoFrame)
        /// An upload's frame with its poses.
        case posed(PosedFrame)
    }

    var sequence: UInt32
    var arrival: ContinuousClock.Instant
    var content: Content
}

protocol FrameAnalysing: Sendable {
    mutating func take(_ frame: VideoFrame) throws -> LiveFindings

    /// Takes the next frame of an upload, whose poses its pipeline has found.
    mutating func take(_ seen: PosedFrame) throws -> LiveFindings

    /// Does the work that can wait until the frame's result is sent.
    mutating func catchUp() throws

    mutating func apply(_ command: DrawingCommand)

    /// Ends the stream and returns the remaining events.
    mutating func finish() -> [AnalysisEvent]

    mutating func write(to json: inout JSONText)

    func summarise(_ session: inout StoredSession)

    /// The frames of an upload that it needs.
    var neededFrames: FrameSelection { get }

    /// The pipeline that detects the poses in an upload; nil to get only the frames.
    mutating func pipeline(for upload: VideoReader.AsyncFrames) async throws -> PosePipeline?

    /// The advice for a crowd that the model cannot handle; nil without one.
    var crowdNote: String? { get }

    /// For the page that shows all sessions; nil if the mode counts nothing.
    var standing: SessionStanding? { get }
}

extension FrameAnalysing {
    mutating func take(_ seen: PosedFrame) throws -> LiveFindings { try take(seen.frame) }
    mutating func pipeline(for upload: VideoReader.AsyncFrames) async throws -> PosePipeline? { nil }
    var neededFrames: FrameSelection { .all }
    var crowdNote: String? { nil }
    var standing: SessionStanding? { nil }
}
