import KinemaHTTP
import Kinema
import KinemaCore
import KinemaMedia
import Synchronization

/// A session's open source: a camera, a stream, a file, an upload or the client.
struct LiveSource: Sendable {
    /// Its name, if it is known only after opening.
    var name: String?
    var upload: StudioUpload?
    /// Nil if the client sends the frames.
    var video: VideoReader.AsyncFrames?

    /// Opens the session's source; of an upload only the selected frames are needed, and the others if a film is drawn.
    static func open(
        _ session: LiveSession, _ configuration: LiveConfiguration, _ selection: FrameSelection
    ) async throws -> LiveSource {
        switch session.request.source {
        case .browser: return LiveSource()
        case .upload(let id):
            guard let upload = await configuration.upload(id) else {
                throw LiveProblem(.unreadable, "there is no such upload; it may have been removed, upload it again")
            }
            let video = try await VideoReader.read(
                .file(upload.video), limits: configuration.reading, isolation: configuration.isolation,
                selection: selection, keepsSkipped: session.request.drawsFilm)
            return LiveSource(name: upload.name, upload: upload, video: video)
        case .input, .camera, .stream:
            let input = try configuration.input(session.request.source)
            do {
                return LiveSource(
                    video: try await VideoReader.read(
                        input, limits: configuration.reading, isolation: configuration.isolation,
                        orientation: configuration.orientation
                    ) { state in
                        switch state {
                        case .connecting: session.report(.connecting)
                        case .reconnecting(let reason): session.report(.reconnecting(reason))
                        // The next frame shows the state.
                        case .live: break
                        }
                    })
            } catch let error as KinemaError where configuration.hidesFailure(of: session.request.source) {
                throw error.code == .missingComponent ? LiveProblem(error) : .cannotOpen
            }
        }
    }

    /// Sends the video's frames into the channel until either ends; files other than uploads in real time. The pipeline
    /// finds the poses of an upload.
    func feed(_ channel: FrameChannel<LiveFrame>, posedBy pipeline: PosePipeline?, _ models: FairSemaphore) async {
        guard let video else { return }
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            do {
                let begin = ContinuousClock.now
                var sequence: UInt32 = 0
                func send(_ content: LiveFrame.Content) async throws -> Bool {
                    defer { sequence &+= 1 }
                    return try await channel.send(LiveFrame(sequence: sequence, arrival: .now, content: content))
                }
                if let pipeline {
                    var frames = pipeline(video).makeAsyncIterator()
                    while let seen = pipeline.jobs == 1
                        ? try await models.withPermit({ try await frames.next() }) : try await frames.next()
                    {
                        guard try await send(.posed(seen.feature)) else { return }
                    }
                } else {
                    for try await element in video {
                        let due = begin + .seconds(element.feature.time)
                        if !video.isLive, upload == nil, due > .now {
                            try await Task.sleep(until: due, clock: .continuous)
                        }
                        guard try await send(.decoded(element.feature)) else { return }
                    }
                }
                channel.finish()
            } catch {
                channel.finish(.failure(error))
            }
        }
    }
}

/// The sources in analysis. Two sessions with one upload would write the same files.
final class ActiveSessions: Sendable {
    private let sources = Mutex<[StartRequest.Source]>([])

    var count: Int { sources.withLock(\.count) }

    /// Runs the body; throws if the session's upload is already active.
    func whileActive(_ source: StartRequest.Source, _ body: () async throws -> Void) async throws {
        try sources.withLock { sources in
            guard !source.isUpload || !sources.contains(source) else {
                throw LiveProblem(.busy, "this upload is already being analysed; wait for the end, or upload it again")
            }
            sources.append(source)
        }
        defer { sources.withLock { sources in sources.firstIndex(of: source).map { _ = sources.remove(at: $0) } } }
        try await body()
    }
}

extension LiveConfiguration {
    /// The input that a client chose among those offered.
    fileprivate func input(_ source: StartRequest.Source) throws -> MediaInput {
        switch source {
        case .input(let name):
            guard let input = inputs.first(where: { $0.name == name }) else {
                throw LiveProblem(.unreadable, "unknown input; choose one that the status lists")
            }
            return try input.media()
        case .camera(let device):
            guard cameras().contains(where: { $0.device == device }) else {
                throw LiveProblem(.unreadable, "unknown camera; choose one that the status lists")
            }
            return .camera(VideoReader.CameraConfiguration(device: device))
        case .stream(let url) where streams != .none:
            var address = try StreamAddress(url)
            if case .publicAddresses(let others) = streams { address.reach = .publicAddresses(and: others) }
            return .stream(address)
        default:
            throw LiveProblem(
                .unreadable,
                "this server opens no addresses that a page sends; start it with --page-streams, or give the "
                    + "stream with --input")
        }
    }

    /// Whether the reason of a failure is hidden, so that other machines cannot scan the network.
    fileprivate func hidesFailure(of source: StartRequest.Source) -> Bool {
        guard case .stream = source, case .publicAddresses = streams else { return false }
        return true
    }
}

extension LiveConfiguration.Input {
    fileprivate func media() throws -> MediaInput {
        let input = try MediaInput(argument: argument)
        guard case .stream(var address) = input, trustsAnyone else { return input }
        address.trust = .anyone
        return .stream(address)
    }
}

extension LiveProblem {
    /// The one answer for every stream that cannot be opened for another machine.
    fileprivate static let cannotOpen = LiveProblem(
        .unreadable, "this stream cannot be opened; check its address, which must be public")
}
