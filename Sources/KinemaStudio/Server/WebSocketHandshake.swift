import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket

enum WebSocketHandshake {
    static let subprotocol = "kinema.2"

    /// The response that upgrades the connection; throws for an invalid handshake.
    static func answer(_ request: StudioRequest, on channel: any Channel) async throws -> StudioResponse {
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
