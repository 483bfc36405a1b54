import KinemaCore
import NIOCore
import NIOHTTP1
import NIOPosix

/// A small server of texts that change, such as metrics: each connection is one GET and its answer.
package struct TextServer: Sendable {
    /// What is answered.
    package struct Answer: Sendable {
        package var status: Int
        package var mediaType: String
        package var text: String

        package init(status: Int = 200, mediaType: String = "text/plain; charset=utf-8", text: String) {
            (self.status, self.mediaType, self.text) = (status, mediaType, text)
        }
    }

    private let host: String
    private let port: Int
    private let answer: @Sendable (_ path: String) -> Answer?

    /// A client that asks or reads more slowly than this is let go.
    private static let patience = Duration.seconds(10)
    private static let mostConnections = 64

    /// Makes a server; `answer` is nil for paths that there are none of.
    package init(host: String, port: Int, answer: @escaping @Sendable (_ path: String) -> Answer?) {
        (self.host, self.port, self.answer) = (host, port, answer)
    }

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// Serves until the task is cancelled. Throws when the address cannot be listened on.
    ///
    /// - Parameter onListening: called with the port once clients can connect.
    package func run(onListening: @Sendable (_ port: Int) -> Void) async throws {
        let limiter = ConcurrencyLimiter(Self.mostConnections)
        let server: NIOAsyncChannel<Connection, Never>
        do {
            server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw KinemaError(.invalidArgument, "cannot listen on \(host):\(port): \(error)")
        }
        onListening(server.channel.localAddress?.port ?? port)
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask {
                        guard limiter.acquire() else { return connection.channel.close(promise: nil) }
                        defer { limiter.release() }
                        await serve(connection)
                    }
                }
            }
        }
    }

    /// Answers one request; whatever a client does wrong ends its connection only.
    private func serve(_ connection: Connection) async {
        let clock = Task {
            try await Task.sleep(for: Self.patience)
            connection.channel.close(promise: nil)
        }
        defer { clock.cancel() }
        try? await connection.executeThenClose { requests, responses in
            for try await part in requests {
                guard case .head(let head) = part else { continue }
                let path = String(head.uri.prefix { $0 != "?" })
                let found =
                    head.method == .GET || head.method == .HEAD ? answer(path) : Answer(status: 405, text: "GET only\n")
                let answer = found ?? Answer(status: 404, text: "there is /metrics and /healthz\n")
                let body = ByteBuffer(string: answer.text)
                var fields = HTTPHeaders()
                fields.add(name: "Content-Type", value: answer.mediaType)
                fields.add(name: "Content-Length", value: "\(body.readableBytes)")
                fields.add(name: "Connection", value: "close")
                fields.add(name: "X-Content-Type-Options", value: "nosniff")
                let status = HTTPResponseStatus(statusCode: answer.status)
                try await responses.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields)))
                if head.method != .HEAD { try await responses.write(.body(.byteBuffer(body))) }
                try await responses.write(.end(nil))
                return
            }
        }
    }
}
