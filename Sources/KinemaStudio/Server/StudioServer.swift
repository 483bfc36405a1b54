import Foundation
import NIOCore

/// The studio's server: the page, the interface over HTTP, and the sockets.
package struct StudioServer: Sendable {
    private let configuration: StudioConfiguration
    private let services: StudioServices
    private let files: StaticFiles

    /// Checks the configuration and reads the page; throws what stands in the way.
    package init(_ configuration: StudioConfiguration, services: StudioServices) throws {
        try configuration.check()
        guard let folder = configuration.page ?? PageFolder.find() else { throw StartupError.pageMissing.error }
        self.configuration = configuration
        self.services = services
        files = try StaticFiles(folder: folder)
    }

    /// Listens and serves until the task is cancelled; then every socket is closed, and it returns.
    ///
    /// - Parameter onListening: called with the port once clients can connect.
    package func run(onListening: @Sendable (_ port: Int) -> Void) async throws {
        let limits = configuration.limits
        let listener: HTTPListener
        do {
            listener = try await HTTPListener(host: configuration.host, port: configuration.port, limits: limits)
        } catch {
            throw startupError(error).error
        }
        let context = ServerContext(
            access: AccessGuard(configuration, port: listener.port), throttle: AuthenticationThrottle(limits: limits),
            report: configuration.report, routes: routes, limits: limits, requests: ConcurrencyLimiter(limits.requests),
            sockets: ConcurrencyLimiter(limits.sockets), port: listener.port)
        // What cannot be tidied up now can be later; nothing of it stands in the way.
        try? await services.history?.removeStrays()
        onListening(listener.port)
        await withDiscardingTaskGroup { group in
            group.addTask { await removeIdleUploads() }
            await listener.run { await ConnectionHandler(connection: $0, context: context).run() }
            group.cancelAll()
        }
        await services.uploads.removeAll()
    }

    private var routes: StudioRoutes {
        let limits = configuration.limits
        let exports = ConcurrencyLimiter(limits.exports)
        return StudioRoutes(
            files: files, services: services,
            uploads: UploadRoutes(store: services.uploads, limits: limits, exports: exports),
            history: HistoryRoutes(
                store: services.history, limits: limits, exports: exports,
                videos: HistoryVideoRoutes(limits: limits, intakes: ConcurrencyLimiter(limits.uploads)),
                archive: ArchiveRoutes(library: services.classifiers, limits: limits, exports: exports)),
            classifiers: ClassifierRoutes(
                store: services.history, library: services.classifiers, live: services.live, limits: limits,
                trainings: ConcurrencyLimiter(limits.trainings)),
            status: StatusRoute(
                version: configuration.version, hasHistory: services.history != nil, limits: limits.live,
                live: services.live))
    }

    private func removeIdleUploads() async {
        let pause = configuration.limits.uploadIdleTimeout / 10
        while (try? await Task.sleep(for: pause)) != nil { await services.uploads.removeIdle() }
    }

    private func startupError(_ error: any Error) -> StartupError {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: .portInUse(configuration.port)
        case EACCES: .portForbidden(configuration.port)
        default: .badAddress(configuration.host)
        }
    }
}

/// The service behind the WebSocket.
package protocol LiveServing: Sendable {
    /// Serves one client until it has gone.
    func serve(_ socket: some LiveSocket) async

    /// What can be chosen from.
    func status() -> LiveStatus
}

/// What the server serves besides its page.
package struct StudioServices: Sendable {
    /// The live sessions.
    package var live: any LiveServing
    /// The videos that clients sent.
    package var uploads: UploadStore
    /// The sessions that were kept; nil where none are.
    package var history: HistoryStore?
    /// The classifiers that were learnt from them; nil where none can be.
    package var classifiers: ClassifierLibrary?

    /// Puts the services together.
    package init(
        live: any LiveServing, uploads: UploadStore, history: HistoryStore? = nil, classifiers: ClassifierLibrary? = nil
    ) {
        self.live = live
        self.uploads = uploads
        self.history = history
        self.classifiers = classifiers
    }
}
