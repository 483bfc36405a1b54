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
            return try MediaInput(argument: input.argument)
        case .camera(let device):
            guard configuration.cameras().contains(where: { $0.device == device }) else {
                throw LiveProblem(.unreadable, "there is no such camera; choose one that the status lists")
            }
            return .camera(VideoReader.CameraConfiguration(device: device))
        case .stream(let url) where configuration.allowsStreams: return .stream(try StreamAddress(url))
        default: throw LiveProblem(.unreadable, "this server opens no addresses")
        }
    }

    /// Feeds the frames of an input as they come while the worker analyses the newest.
    private static func play(_ input: MediaInput, _ worker: SessionWorker) async throws {
        let session = worker.session
        let play = LivePlay(input: input, session: session)
        let frames = try await play.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
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
