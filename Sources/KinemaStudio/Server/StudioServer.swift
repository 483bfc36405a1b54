import Foundation
import KinemaCore

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
            access: AccessGuard(configuration, port: listener.port), throttle: AuthenticationThrottle(limits: limits),
            report: configuration.report,
            routes: StudioRoutes(files, services, configuration), limits: limits,
            requests: ConcurrencyLimiter(limits.requests, perAddress: limits.requestsPerAddress),
            sockets: ConnectionLimiter(limits.sockets, perAddress: limits.socketsPerAddress),
            port: listener.port)
        // A later start removes the rest.
        try? await services.history?.removeStrays()
        onListening(listener.port)
        await withDiscardingTaskGroup { group in
            group.addTask { await removeIdleUploads() }
            await listener.run { await ConnectionHandler(connection: $0, context: context).run() }
            group.cancelAll()
        }
        await services.uploads.removeAll()
    }

    private func removeIdleUploads() async {
        let pause = configuration.limits.uploadIdleTimeout / 10
        while (try? await Task.sleep(for: pause)) != nil { await services.uploads.removeIdle() }
    }
}
