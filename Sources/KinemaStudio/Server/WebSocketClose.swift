/// A WebSocket's close: the status of RFC 6455, the code of the error message before it, and the reason.
struct WebSocketClose: Sendable, Equatable {
    var status: UInt16
    /// Nil for a close without an error.
    var code: String?
    /// At most 123 bytes fit into a close.
    var message: String

    init(_ status: UInt16, _ code: String?, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    static let goingAway = WebSocketClose(1001, nil, "The studio is closing.")
    static let malformed = WebSocketClose(1002, "bad-message", "The frame is not valid by RFC 6455.")
    static let unmasked = WebSocketClose(1002, "bad-message", "A client must mask its frames.")
    static let notText = WebSocketClose(1007, "bad-message", "A text message must be UTF-8.")
    static let reasonNotText = WebSocketClose(1007, "bad-message", "The reason of a close must be UTF-8.")
    static let tooFast = WebSocketClose(1008, "too-fast", "Too many messages per second.")
    static let idle = WebSocketClose(1008, "idle", "Nothing arrived, not even a pong.")
    static let tooLarge = WebSocketClose(1009, "too-large", "The message is too large.")
    static let tooMany = WebSocketClose(1013, "busy", "All sockets of the studio are in use; try again later.")

    var errorText: String? {
        code.map { ErrorBody(type: "error", code: $0, message: message, fatal: true).text }
    }
}
