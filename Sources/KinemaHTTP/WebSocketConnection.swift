package import Foundation
package import NIOCore
import NIOHTTP1
import NIOWebSocket

package struct WebSocketConnection: LiveSocket {
    package struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: WebSocketConnection

        package struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let socket: WebSocketConnection

            package mutating func next() async throws -> SocketMessage? { try await socket.next() }
        }

        package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<WebSocketHandler>
    private let backpressure: NIOLoopBound<BackpressureHandler>
    /// Busy from the first message: a socket without one makes room for another.
    private var slot: ConnectionLimiter.Slot?

    init(
        channel: any Channel, handler: NIOLoopBound<WebSocketHandler>, backpressure: NIOLoopBound<BackpressureHandler>
    ) {
        (self.channel, self.handler, self.backpressure) = (channel, handler, backpressure)
    }

    package func holding(_ slot: ConnectionLimiter.Slot) -> WebSocketConnection {
        var copy = self
        copy.slot = slot
        return copy
    }

    package var messages: Messages { Messages(socket: self) }

    package var isBehind: Bool { !channel.isWritable }

    package func send(_ message: SocketMessage) async throws {
        try await channel.eventLoop.flatSubmit { [handler, backpressure, channel] in
            backpressure.value.waitUntilWritable(channel, after: handler.value.send(message))
        }.get()
    }

    package func close(code: UInt16, reason: String) async {
        close(WebSocketClose(code, nil, reason))
        await closed()
    }

    package func close(_ reason: WebSocketClose) {
        channel.eventLoop.execute { [handler] in handler.value.close(reason) }
    }

    package func closed() async { try? await channel.closeFuture.get() }

    private func next() async throws -> SocketMessage? {
        let message = try await channel.eventLoop.flatSubmit { [handler] in handler.value.next() }.get()
        if message != nil { slot?.markBusy() }
        return message
    }
}

/// A WebSocket's close: the status of RFC 6455, the code of the error message before it, and the reason.
package struct WebSocketClose: Sendable, Equatable {
    var status: UInt16
    /// Nil for a close without an error.
    var code: String?
    /// At most 123 bytes fit into a close.
    var message: String

    package init(_ status: UInt16, _ code: String?, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    package static let goingAway = WebSocketClose(1001, nil, "The studio is closing.")
    package static let takenOver = WebSocketClose(4001, nil, "taken over")
    package static let revoked = WebSocketClose(4003, nil, "revoked")
    static let malformed = WebSocketClose(1002, "bad-message", "The frame is not valid by RFC 6455.")
    static let unmasked = WebSocketClose(1002, "bad-message", "A client must mask its frames.")
    static let notText = WebSocketClose(1007, "bad-message", "A text message must be UTF-8.")
    static let reasonNotText = WebSocketClose(1007, "bad-message", "The reason of a close must be UTF-8.")
    static let tooFast = WebSocketClose(1008, "too-fast", "Too many messages per second.")
    static let idle = WebSocketClose(1008, "idle", "Nothing arrived, not even a pong.")
    static let tooLarge = WebSocketClose(1009, "too-large", "The message is too large.")
    package static let tooMany = WebSocketClose(1013, "busy", "All sockets of the studio are in use; try again later.")

    var errorText: String? {
        code.map { ErrorBody(type: "error", code: $0, message: message, fatal: true).text }
    }
}

package enum WebSocketHandshake {
    static let subprotocol = "kinema.2"

    /// The response that upgrades the connection; throws for an invalid handshake.
    package static func answer(_ request: StudioRequest, on channel: any Channel) async throws -> StudioResponse {
        let headers = request.headers
        guard request.method == .GET else { throw HTTPError.method("GET") }
        guard headers[canonicalForm: "upgrade"].contains(where: { $0.lowercased() == "websocket" }),
            headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" })
        else {
            throw HTTPError(
                .upgradeRequired, "no-socket", "This address accepts only WebSocket connections.",
                fields: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard headers[canonicalForm: "sec-websocket-version"] == ["13"] else {
            throw HTTPError(
                .upgradeRequired, "wrong-version", "Only version 13 of the WebSocket protocol is supported.",
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
        var response = StudioResponse(.switchingProtocols)
        response.headers = try await complete(fields, request.head, channel)
        return response
    }

    private static func complete(
        _ fields: HTTPHeaders, _ head: HTTPRequestHead, _ channel: any Channel
    ) async throws -> HTTPHeaders {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(fields) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        let keys = head.headers[canonicalForm: "sec-websocket-key"]
        // Sixteen bytes (RFC 6455, 4.2.1).
        guard keys.count == 1, Data(base64Encoded: String(keys[0]))?.count == 16,
            let made = try? await upgrader.buildUpgradeResponse(
                channel: channel, upgradeRequest: head, initialResponseHeaders: fields
            ).get()
        else {
            throw HTTPError.invalid("The handshake lacks its key, which is 16 bytes in base64.")
        }
        return made
    }
}

package enum SocketMessage: Sendable, Equatable {
    case text(String)
    /// A frame, as Documentation/studio.md describes it.
    case binary(Data)
}

/// A client of a live session: a WebSocket, or what a test puts in its place.
package protocol LiveSocket: Sendable {
    /// The client's messages in order, read on demand; they end when the client disconnects.
    associatedtype Messages: AsyncSequence<SocketMessage, any Error> & Sendable

    var messages: Messages { get }

    /// Whether sent data still waits for the client to read it.
    var isBehind: Bool { get }

    /// Sends a message; waits while the client is behind, throws when it has disconnected.
    func send(_ message: SocketMessage) async throws

    /// Ends the connection with a status of RFC 6455 and a reason for people.
    func close(code: UInt16, reason: String) async
}
