package import KinemaHistory
package import KinemaHTTP
package import KinemaPhones
package import Foundation
import Kinema
import KinemaCore
import NIOHTTP1

/// The studio's server: the page, the HTTP interface and the WebSockets.
package struct StudioServer: Sendable {
    private let configuration: StudioConfiguration
    private let services: StudioServices
    private let files: StaticFiles

    package init(_ configuration: StudioConfiguration, services: StudioServices) throws {
        try configuration.check()
        guard let folder = configuration.page ?? PageFolder.find() else {
            throw KinemaError(
                .missingComponent,
                "the studio's page is missing: keep \(PageFolder.bundleName) beside the command, or build again")
        }
        (self.configuration, self.services) = (configuration, services)
        files = try StaticFiles(folder: folder)
    }

    /// Serves until the task is cancelled, then closes every socket; calls `onListening` with the port when ready.
    package func run(onListening: @Sendable (_ port: Int) -> Void) async throws {
        let limits = configuration.limits
        let listener = try await HTTPListener(
            host: configuration.host, port: configuration.port, setting: "--port", limits: limits)
        let context = ServerContext(
            door: .owner(AccessGuard(configuration, port: listener.port)),
            throttle: AuthenticationThrottle(limits: limits),
            report: configuration.report,
            routes: StudioRoutes(files, services, configuration), limits: limits,
            requests: ConcurrencyLimiter(limits.requests, perAddress: limits.requestsPerAddress),
            sockets: ConnectionLimiter(limits.sockets, perAddress: limits.socketsPerAddress),
            port: listener.port)
        // A later start removes the rest.
        try? await services.history?.removeStrays()
        try await admitPhones(context)
        onListening(listener.port)
        await withDiscardingTaskGroup { group in
            group.addTask { await removeIdleUploads() }
            await listener.run { await ConnectionHandler(connection: $0, context: context).run() }
            group.cancelAll()
        }
        await services.phones?.turnOff()
        await services.uploads.removeAll()
    }

    /// Prepares the phones' listener, and opens it if they are admitted from the start.
    private func admitPhones(_ context: ServerContext) async throws {
        guard let phones = services.phones else { return }
        phones.begin(links: { [live = services.live] link, client in await live.serve(link, from: client) }) {
            var context = context
            (context.door, context.port) = (.phones($1, phones), $2)
            await ConnectionHandler(connection: $0, context: context).run()
        }
        if phones.configuration.startsOn { try await phones.turnOn() }
    }

    private func removeIdleUploads() async {
        let pause = configuration.limits.uploadIdleTimeout / 10
        while (try? await Task.sleep(for: pause)) != nil { await services.uploads.removeIdle() }
    }
}

package struct StudioServices: Sendable {
    package var live: any LiveServing
    package var uploads: UploadStore
    package var history: HistoryStore?
    /// The classifiers trained on marks; nil without a history.
    package var classifiers: ClassifierLibrary?
    package var exercises: ExerciseShelf
    /// Nil if no phone may be a camera.
    package var phones: PhoneService?

    package init(
        live: any LiveServing, uploads: UploadStore, history: HistoryStore? = nil,
        classifiers: ClassifierLibrary? = nil, exercises: ExerciseShelf = ExerciseShelf(), phones: PhoneService? = nil
    ) {
        (self.live, self.uploads, self.history, self.classifiers) = (live, uploads, history, classifiers)
        (self.exercises, self.phones) = (exercises, phones)
    }
}

/// The page's files and `/api/`: the services, the limits, and the limiters of concurrent work.
struct StudioRoutes: Sendable {
    private let files: StaticFiles
    let services: StudioServices
    let limits: StudioLimits
    private let version: String
    private let report: @Sendable (Diagnostic) -> Void
    let exports: ConcurrencyLimiter
    let trainings: ConcurrencyLimiter
    let videoIntakes: ConcurrencyLimiter
    /// A slow sender must not block exports.
    let archiveIntakes = ConcurrencyLimiter(2, perAddress: 1)

    init(_ files: StaticFiles, _ services: StudioServices, _ configuration: StudioConfiguration) {
        (self.files, self.services) = (files, services)
        (limits, version, report) = (configuration.limits, configuration.version, configuration.report)
        exports = ConcurrencyLimiter(
            configuration.limits.exports, perAddress: configuration.limits.exportsPerAddress)
        trainings = ConcurrencyLimiter(configuration.limits.trainings)
        videoIntakes = ConcurrencyLimiter(
            configuration.limits.uploads, perAddress: configuration.limits.uploadsPerAddress)
    }

    var store: HistoryStore? { services.history }
    var library: ClassifierLibrary? { services.classifiers }
    var shelf: ExerciseShelf { services.exercises }

    /// Answers a request that its caller may make.
    func answer(
        _ request: StudioRequest, _ body: inout RequestBody, from caller: Caller = .owner
    ) async throws -> StudioResponse {
        if let response = try files.answer(request) { return response }
        let segments = request.segments
        guard segments.first == "api", segments.count > 1 else { throw HTTPError.notFound }
        let rest = segments.dropFirst(2)
        switch segments[1] {
        case "status" where rest.isEmpty: return try status(request, from: caller)
        case "history": return try await history(request, rest, &body, from: caller)
        case "people": return try await people(request, rest, &body)
        case "classifiers": return try await classifiers(request, rest, &body)
        case "exercises": return try await exercises(request, rest, &body, from: caller)
        case "uploads": return try await uploads(request, rest, &body)
        case "phones":
            guard let phones = services.phones else { throw HTTPError.notFound }
            return try await phones.phones(request, rest, &body)
        case "room":
            guard let phones = services.phones else { throw HTTPError.notFound }
            return try await phones.room(request, rest, &body, from: caller)
        default: throw HTTPError.notFound
        }
    }

    /// The answer after deleting, which succeeds even if the history's log could not be emptied.
    func deleted(from store: HistoryStore) -> StudioResponse {
        if store.hasRemains {
            report(
                Diagnostic(
                    "history.remains",
                    "another program has the history open, so deleted data can still be read in its log; the studio "
                        + "empties it when that program has finished"))
        }
        return StudioResponse(.noContent)
    }

    /// The body of `/api/status`: the version, the limits and the choices of clients.
    private struct Status: Encodable {
        let version: String
        let protocols = [LiveService.protocolVersion]
        let history: Bool
        /// True if phones can be cameras, for the owner; nil for others.
        let phones: Bool?
        /// True for a phone.
        let phone: Bool?
        let limits: LiveLimits
        let cameras: [LiveConfiguration.Camera]
        let inputs: [String]
        let exercises: [LiveStatus.Exercise]
        let classifiers: [LiveStatus.Classifier]
    }

    private func status(_ request: StudioRequest, from caller: Caller) throws -> StudioResponse {
        try request.allow(.GET, .HEAD)
        var live = services.live.status()
        // A phone sends its own camera.
        let isOwner = if case .owner = caller { true } else { false }
        if !isOwner { (live.cameras, live.inputs) = ([], []) }
        let body = Status(
            version: version, history: store != nil, phones: isOwner && services.phones != nil ? true : nil,
            phone: isOwner ? nil : true, limits: limits.live, cameras: live.cameras,
            inputs: live.inputs, exercises: live.exercises, classifiers: live.classifiers)
        return .json(try JSONEncoder.ordered.encode(body))
    }
}

package protocol LiveServing: Sendable {
    /// Serves one client until it disconnects and its session has ended.
    func serve(_ socket: some LiveSocket, from client: LiveSender) async

    func status() -> LiveStatus
}

package enum CameraList {
    package static func all(
        in folder: URL = URL(filePath: "/sys/class/video4linux")
    ) -> [LiveConfiguration.Camera] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("video") }.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
            .compactMap { device in
                // A camera has further devices without pictures, for metadata; its first device has index 0.
                guard line(folder, device, "index") == "0" else { return nil }
                return LiveConfiguration.Camera(device: "/dev/\(device)", name: line(folder, device, "name") ?? device)
            }
    }

    private static func line(_ folder: URL, _ device: String, _ file: String) -> String? {
        let text = try? String(contentsOf: folder.appending(path: "\(device)/\(file)"), encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
