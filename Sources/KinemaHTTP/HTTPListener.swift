import Foundation
import KinemaCore
package import NIOCore
import NIOPosix

/// Listens on an address and serves a limited number of connections, one task each.
package struct HTTPListener: Sendable {
    package let port: Int
    private let channel: any Channel
    private let limiter: ConnectionLimiter
    private let connections: AsyncStream<HTTPConnection>
    private let accepted: AsyncStream<HTTPConnection>.Continuation

    /// Adds handlers in front of HTTP's, such as those of TLS; on the channel's event loop.
    package typealias Front = @Sendable (_ channel: any Channel, _ client: ClientAddress) throws -> Void

    /// Binds the address; throws an error that names the `setting` of the port if that fails.
    package init(
        host: String, port: Int, setting: String, limits: StudioLimits, behind front: @escaping Front = { _, _ in }
    ) async throws {
        let limiter = ConnectionLimiter(limits.connections, perAddress: limits.connectionsPerAddress)
        let (connections, accepted) = AsyncStream.makeStream(of: HTTPConnection.self)
        do {
            channel = try await Self.bootstrap(limiter, accepted, limits, front).bind(host: host, port: port).get()
        } catch {
            throw Self.refusal(error, host, port, setting)
        }
        self.port = channel.localAddress?.port ?? port
        (self.limiter, self.connections, self.accepted) = (limiter, connections, accepted)
    }

    /// Serves until the task is cancelled, then closes every connection.
    package func run(_ serve: @escaping @Sendable (HTTPConnection) async -> Void) async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await connection in connections { group.addTask { await serve(connection) } }
                try? await channel.close()
            }
        } onCancel: {
            channel.close(promise: nil)
            accepted.finish()
        }
        limiter.closeAll()
    }

    private static func refusal(_ error: any Error, _ host: String, _ port: Int, _ setting: String) -> KinemaError {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            KinemaError(.unsupported, "port \(port) is in use; choose another with \(setting), or 0 for any free one")
        case EACCES:
            KinemaError(.unsupported, "port \(port) requires root; choose one from 1024 up with \(setting)")
        default: KinemaError(.invalidArgument, "cannot listen on \(host): it is not an address of this machine")
        }
    }

    private static func bootstrap(
        _ limiter: ConnectionLimiter, _ accepted: AsyncStream<HTTPConnection>.Continuation, _ limits: StudioLimits,
        _ front: @escaping Front
    ) -> ServerBootstrap {
        let size = SocketOptionValue(limits.systemBufferBytes)
        let mark = ChannelOptions.Types.WriteBufferWaterMark(low: limits.outboundBytes / 2, high: limits.outboundBytes)
        return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                // Waits a little when there are no free file descriptors.
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
                guard let slot = limiter.add(client, close: { channel.close(promise: nil) }) else {
                    return channel.eventLoop.makeFailedFuture(HTTPError.busy)
                }
                channel.closeFuture.whenComplete { _ in slot.remove() }
                return channel.eventLoop.makeCompletedFuture {
                    try front(channel, client)
                    let result = accepted.yield(try HTTPConnection(channel, client, slot, limits: limits))
                    // A connection accepted while the server closes is no longer served.
                    if case .enqueued = result {} else { throw HTTPError.busy }
                }
            }
    }
}
