/// How a socket ends: a status of RFC 6455, the error message that goes before it, and both in words.
struct SocketFarewell: Sendable, Equatable {
    var status: UInt16
    /// The code of the error message; nil when nothing is wrong.
    var code: String?
    /// At most 123 bytes fit into a close.
    var message: String

    init(_ status: UInt16, _ code: String?, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static let leaving = SocketFarewell(1001, nil, "The studio is closing.")
    static let malformed = SocketFarewell(1002, "bad-message", "This is not how RFC 6455 frames a message.")
    static let unmasked = SocketFarewell(1002, "bad-message", "A client masks its frames.")
    static let notText = SocketFarewell(1007, "bad-message", "A text message is UTF-8.")
    static let reasonNotText = SocketFarewell(1007, "bad-message", "The reason of a close is UTF-8.")
    static let tooFast = SocketFarewell(1008, "too-fast", "More messages a second than are taken.")
    static let silent = SocketFarewell(1008, "idle", "Nothing was heard, not even the answer to a ping.")
    static let tooLarge = SocketFarewell(1009, "too-large", "The message is larger than is taken.")
    static let tooMany = SocketFarewell(1013, "busy", "As many sockets are open as the studio takes; try later.")

    /// The error message, where there is one.
    var errorText: String? {
        code.map { ErrorBody(type: "error", code: $0, message: message, fatal: true).text }
    }
}
