import KinemaCore

struct LiveProblem: Error, Sendable, Equatable {
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
        case crowd

        /// Whether it concerns a single frame, so that the session continues.
        var concernsOneFrame: Bool { [.badFrame, .tooLarge, .tooFast, .wrongOrder].contains(self) }
    }

    var code: Code
    var message: String
    var sequence: UInt32?
    var isFatal = false

    init(_ code: Code, _ message: String, sequence: UInt32? = nil, isFatal: Bool = false) {
        (self.code, self.message, self.sequence, self.isFatal) = (code, message, sequence, isFatal)
    }

    /// A failure for the client, without paths of this machine.
    init(_ error: any Error, sequence: UInt32? = nil) {
        guard let error = error as? KinemaError else {
            self.init(.unreadable, "the source can no longer be read; start again", sequence: sequence)
            return
        }
        self.init(error.code == .missingComponent ? .missingComponent : .unreadable, error.message, sequence: sequence)
    }
}
