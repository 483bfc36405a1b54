import KinemaCore

/// A problem that is reported to the client.
struct LiveProblem: Error, Sendable, Equatable {
    /// The kinds of problem.
    enum Code: String, Sendable {
        case badMessage = "bad-message"
        case badFrame = "bad-frame"
        case tooLarge = "too-large"
        case tooFast = "too-fast"
        case wrongOrder = "wrong-order"
        case unreadable
        case missingComponent = "missing-component"
        case busy
        case idle
        case notKept = "not-kept"

        /// Whether it concerns a single frame, so that the session goes on.
        var concernsOneFrame: Bool { [.badFrame, .tooLarge, .tooFast, .wrongOrder].contains(self) }
    }

    var code: Code
    var message: String
    /// The frame concerned.
    var sequence: UInt32?
    /// Whether the socket closes after it.
    var isFatal = false

    init(_ code: Code, _ message: String, sequence: UInt32? = nil, isFatal: Bool = false) {
        (self.code, self.message, self.sequence, self.isFatal) = (code, message, sequence, isFatal)
    }

    /// A failure in the interface's terms, without paths of this machine.
    init(_ error: any Error, sequence: UInt32? = nil) {
        guard let error = error as? KinemaError else {
            self.init(.unreadable, "the source cannot be read any more; start again", sequence: sequence)
            return
        }
        self.init(error.code == .missingComponent ? .missingComponent : .unreadable, error.message, sequence: sequence)
    }
}
