/// The retries of a lost source: soon, then at growing intervals; a returned source is found within 2 s.
struct ReconnectBackoff {
    /// One attempt: the pause before it and its timeout.
    struct Attempt: Equatable {
        var pause: Duration
        var timeout: Duration
    }

    private(set) var attempts = 0
    private let options: LiveOptions

    /// The timeout of most attempts, which covers one TCP retransmission after 1 s (RFC 6298, 2.1).
    private static let quickTimeout = Duration.milliseconds(1500)
    /// Every fourth attempt gets the timeout of the first connection, for slow servers.
    private static let patientEvery = 4

    init(_ options: LiveOptions) {
        self.options = options
    }

    mutating func next() -> Attempt {
        attempts += 1
        let isPatient = attempts % Self.patientEvery == 0
        // A quarter, a half, then the whole of the longest pause.
        let pause = options.longestPause / (attempts == 1 ? 4 : attempts == 2 ? 2 : 1)
        return Attempt(
            pause: pause,
            timeout: isPatient ? options.connectionTimeout : min(Self.quickTimeout, options.connectionTimeout))
    }
}
