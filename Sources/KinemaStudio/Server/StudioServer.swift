import Foundation
import NIOCore
import NIOPosix

/// The studio's server: the page, the interface over HTTP, and the sockets.
package struct StudioServer: Sendable {
    private let configuration: StudioConfiguration
    private let services: StudioServices
    private let files: PageFiles

    /// Checks the configuration and reads the page; throws what stands in the way.
    package init(_ configuration: StudioConfiguration, services: StudioServices) throws {
        try configuration.check()
        guard let folder = configuration.page ?? PageFolder.find() else { throw StudioFault.pageMissing.error }
        self.configuration = configuration
        self.services = services
        files = try PageFiles(folder: folder)
    }

    /// Listens and serves until the task is cancelled; then every socket is closed, and it returns.
    ///
    /// - Parameter onListening: told the port once clients can connect.
    package func run(onListening: @Sendable (_ port: Int) -> Void) async throws {
        let (connections, arrivals) = AsyncStream.makeStream(of: HTTPConnection.self)
        let listener = try await listen(arrivals)
        let port = listener.localAddress?.port ?? configuration.port
        let limits = configuration.limits
        let desk = StudioDesk(
            access: AccessGuard(configuration, port: port), wrongTokens: WrongTokenLedger(limits: limits),
            report: configuration.report,
            routes: routes,
            limits: limits, requests: Permits(limits.requests), sockets: Permits(limits.sockets), port: port)
        onListening(port)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await removeIdleUploads() }
                for await connection in connections {
                    group.addTask { await Conversation(connection: connection, desk: desk).run() }
                }
                try? await listener.close()
            }
        } onCancel: {
            listener.close(promise: nil)
            arrivals.finish()
        }
        await services.uploads.removeAll()
    }

    private var routes: StudioRoutes {
        let limits = configuration.limits
        let exports = Permits(limits.exports)
        return StudioRoutes(
            files: files, services: services,
            uploads: UploadRoutes(store: services.uploads, limits: limits, exports: exports),
            history: HistoryRoutes(store: services.history, limits: limits, exports: exports),
            status: StatusRoute(
                version: configuration.version, hasHistory: services.history != nil, limits: limits.live,
                live: services.live))
    }

    private func removeIdleUploads() async {
        let pause = configuration.limits.uploadIdle / 10
        while (try? await Task.sleep(for: pause)) != nil { await services.uploads.removeIdle() }
    }

    /// Binds the address; every connection that is accepted is yielded, as long as there are not too many.
    private func listen(_ arrivals: AsyncStream<HTTPConnection>.Continuation) async throws -> any Channel {
        let limits = configuration.limits
        let places = Places(limits.connections, ofOne: limits.connectionsOfOne)
        let size = SocketOptionValue(limits.systemBufferBytes)
        let mark = ChannelOptions.Types.WriteBufferWaterMark(low: limits.outboundBytes / 2, high: limits.outboundBytes)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                // Out of file descriptors, it waits a little instead of turning in a circle.
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_sndbuf), value: size)
            .childChannelOption(.socketOption(.so_rcvbuf), value: size)
            .childChannelOption(.writeBufferWaterMark, value: mark)
            .childChannelInitializer { channel in
                let client = ClientAddress(channel.remoteAddress)
                guard let place = places.take(client, close: { channel.close(promise: nil) }) else {
                    return channel.eventLoop.makeFailedFuture(Refusal.busy)
                }
                channel.closeFuture.whenComplete { _ in place.leave() }
                return channel.eventLoop.makeCompletedFuture {
                    let result = arrivals.yield(try HTTPConnection(channel, client, place, limits: limits))
                    // Who was accepted while the studio closed has nobody to be served by.
                    if case .enqueued = result {} else { throw Refusal.busy }
                }
            }
        do {
            return try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
        } catch {
            throw fault(error).error
        }
    }

    private func fault(_ error: any Error) -> StudioFault {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: .portInUse(configuration.port)
        case EACCES: .portForbidden(configuration.port)
        default: .badAddress(configuration.host)
        }
    }
}
