import Foundation
import KinemaCore
import KinemaMedia

/// Where a session's frames come from.
enum LiveSource {
    /// Brings frames to the worker until there are no more or the session is to end.
    ///
    /// Throws a problem when the source cannot be opened or fails, and what the analysis throws.
    static func run(_ worker: SessionWorker) async throws {
        let configuration = worker.service.configuration
        switch worker.session.request.source {
        case .browser: try await worker.analyseNewest()
        case .upload(let id):
            guard let upload = await configuration.upload(id) else {
                throw LiveProblem(.unreadable, "there is no such upload; it may have been removed, upload it again")
            }
            // Two would write the same files.
            guard worker.service.uploadsInWork.begin(id) else {
                throw LiveProblem(
                    .busy, "this upload is being analysed already; wait for that to end, or upload it again")
            }
            defer { worker.service.uploadsInWork.end(id) }
            try await UploadRun(worker: worker, upload: upload).run()
        case .input, .camera, .stream:
            try await play(try input(worker.session.request.source, configuration), worker)
        }
    }

    /// What a client's choice stands for; only what the server offers can be chosen.
    private static func input(
        _ source: StartRequest.Source, _ configuration: LiveConfiguration
    ) throws -> MediaInput {
        switch source {
        case .input(let name):
            guard let input = configuration.inputs.first(where: { $0.name == name }) else {
                throw LiveProblem(.unreadable, "there is no such input; choose one that the status lists")
            }
            return try input.media()
        case .camera(let device):
            guard configuration.cameras().contains(where: { $0.device == device }) else {
                throw LiveProblem(.unreadable, "there is no such camera; choose one that the status lists")
            }
            return .camera(VideoReader.CameraConfiguration(device: device))
        case .stream(let url) where configuration.streams != .none:
            var address = try StreamAddress(url)
            if case .publicAddresses(let others) = configuration.streams {
                address.reach = .publicAddresses(and: others)
            }
            return .stream(address)
        default:
            throw LiveProblem(
                .unreadable,
                "this server opens no addresses that a page names; start it with --page-streams, or name the "
                    + "stream by --input")
        }
    }

    /// Feeds the frames of an input as they come while the worker analyses the newest.
    private static func play(_ input: MediaInput, _ worker: SessionWorker) async throws {
        let session = worker.session
        let configuration = worker.service.configuration
        let play = LivePlay(input: input, session: session, limits: configuration.reading)
        let frames: VideoReader.AsyncFrames
        do {
            frames = try await play.open()
        } catch let error as KinemaError where configuration.hidesFailure(of: session.request.source) {
            throw error.code == .missingComponent ? LiveProblem(error) : .unopened
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Frames go on coming while one is being worked on.
            group.addTask(executorPreference: globalConcurrentExecutor) {
                defer { session.mailbox.finish() }
                try await play.play(frames)
            }
            try await worker.analyseNewest()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }
}

extension LiveConfiguration {
    /// Whether a client is told nothing of why a source cannot be opened: somebody else would learn which machines and ports
    /// there are.
    fileprivate func hidesFailure(of source: StartRequest.Source) -> Bool {
        guard case .stream = source, case .publicAddresses = streams else { return false }
        return true
    }
}

extension LiveProblem {
    /// The one answer for every stream that a page names and that cannot be opened, where others are served.
    fileprivate static let unopened = LiveProblem(
        .unreadable, "this stream cannot be opened; check its address, which has to be one of the Internet")
}

extension LiveConfiguration.Input {
    /// The input itself.
    fileprivate func media() throws -> MediaInput {
        let input = try MediaInput(argument: argument)
        guard case .stream(var address) = input, trustsAnyone else { return input }
        address.trust = .anyone
        return .stream(address)
    }
}
