/// When a lost source is tried again: soon, then at growing pauses, and never later than 2 s after it is back.
struct ReconnectPlan {
    /// A try: the pause before it and how long it may take.
    struct Try: Equatable {
        var pause: Duration
        var timeout: Duration
    }

    private(set) var tries = 0
    private let options: LiveOptions

    /// A server that has come back answers its first packet within this; a longer try could miss that it has. TCP repeats
    /// a lost first packet after 1 s (RFC 6298, 2.1), so one repetition fits.
    private static let quickTimeout = Duration.milliseconds(1500)
    /// Every fourth try has the time of the first connection, for servers that are slow to answer.
    private static let patientEvery = 4

    init(_ options: LiveOptions) {
        self.options = options
    }

    /// The next try.
    mutating func next() -> Try {
        tries += 1
        let isPatient = tries % Self.patientEvery == 0
        // A quarter, a half, then the whole of the longest pause.
        let pause = options.longestPause / (tries == 1 ? 4 : tries == 2 ? 2 : 1)
        return Try(
            pause: pause,
            timeout: isPatient ? options.connectionTimeout : min(Self.quickTimeout, options.connectionTimeout))
    }
}
