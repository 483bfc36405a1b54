import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A client's WebSocket for the task that serves it.
struct WebSocketConnection: LiveSocket {
    /// What the client sends, read from the network one by one as it is asked for.
    struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: WebSocketConnection

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let socket: WebSocketConnection

            mutating func next() async throws -> SocketMessage? { try await socket.next() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<WebSocketHandler>
    private let backpressure: NIOLoopBound<BackpressureHandler>

    init(
        channel: any Channel, handler: NIOLoopBound<WebSocketHandler>, backpressure: NIOLoopBound<BackpressureHandler>
    ) {
        (self.channel, self.handler, self.backpressure) = (channel, handler, backpressure)
    }

    var messages: Messages { Messages(socket: self) }

    var isBehind: Bool { !channel.isWritable }

    func send(_ message: SocketMessage) async throws {
        try await channel.eventLoop.flatSubmit { [handler, backpressure, channel] () -> EventLoopFuture<Void> in
            guard let written = handler.value.send(message) else {
                return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            written.whenFailure { _ in channel.close(promise: nil) }
            return backpressure.value.waitUntilWritable(channel)
        }.get()
    }

    func close(code: UInt16, reason: String) async {
        close(WebSocketClose(code, nil, reason))
        await closed()
    }

    /// Closes the socket without waiting for the client.
    func close(_ reason: WebSocketClose) {
        channel.eventLoop.execute { [handler] in handler.value.close(reason) }
    }

    /// Waits until the connection is closed.
    func closed() async {
        try? await channel.closeFuture.get()
    }

    private func next() async throws -> SocketMessage? {
        try await channel.eventLoop.flatSubmit { [handler] in handler.value.next() }.get()
    }
}

/// The WebSocket handshake.
enum WebSocketHandshake {
    /// The subprotocol, by the version of the interface.
    static let subprotocol = "kinema.2"

    /// The response that upgrades the connection; throws the error to answer when the handshake is not valid.
    static func answer(_ request: StudioRequest, on channel: any Channel) async throws -> StudioResponse {
        let headers = request.headers
        guard request.method == .GET else { throw HTTPError.method("GET") }
        guard headers[canonicalForm: "upgrade"].contains(where: { $0.lowercased() == "websocket" }),
            headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" })
        else {
            throw HTTPError(
                .upgradeRequired, "no-socket", "This address is a WebSocket.",
                fields: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard headers[canonicalForm: "sec-websocket-version"] == ["13"] else {
            throw HTTPError(
                .upgradeRequired, "wrong-version", "Version 13 of the WebSocket protocol is spoken.",
                fields: ["Sec-WebSocket-Version": "13"])
        }
        let offered = headers[canonicalForm: "sec-websocket-protocol"]
        guard offered.isEmpty || offered.contains(subprotocol[...]) else {
            throw HTTPError(
                .badRequest, "wrong-version", "This studio speaks \(subprotocol); reload the page or update the client."
            )
        }
        var fields = HTTPHeaders()
        if !offered.isEmpty { fields.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
        return StudioResponse(.switchingProtocols, adding: try await complete(fields, request.head, channel))
    }

    /// NIO's upgrader computes the answer to the key.
    private static func complete(
        _ fields: HTTPHeaders, _ head: HTTPRequestHead, _ channel: any Channel
    ) async throws -> HTTPHeaders {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(fields) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        let keys = head.headers[canonicalForm: "sec-websocket-key"]
        // Sixteen bytes, says RFC 6455 (4.2.1).
        guard keys.count == 1, Data(base64Encoded: String(keys[0]))?.count == 16,
            let made = try? await upgrader.buildUpgradeResponse(
                channel: channel, upgradeRequest: head, initialResponseHeaders: fields
            ).get()
        else {
            throw HTTPError(.badRequest, "bad-request", "The handshake lacks its key, which is 16 bytes in base64.")
        }
        return made
    }
}
