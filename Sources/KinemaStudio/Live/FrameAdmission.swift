/// Checks the order, the times and the rate of a client's frames.
struct FrameAdmission: Sendable {
    private var rate: TokenBucket
    private var last: (sequence: UInt32, time: Double)?
    private var first: Double?
    private var step = 1.0 / 30
    private var warned: ContinuousClock.Instant?

    /// The longest session, seconds: eleven days.
    private static let longest = 1e6

    init(framesPerSecond: Int) {
        rate = TokenBucket(perSecond: max(1, framesPerSecond), burst: max(1, framesPerSecond))
    }

    enum Decision: Equatable {
        case admitted(Range<Int>)
        /// Reported to the client at most once a second.
        case tooFast(isReported: Bool)
        case refused(LiveProblem)
    }

    mutating func check(_ frame: FrameMessage, at now: ContinuousClock.Instant) -> Decision {
        if let last {
            guard frame.sequence > last.sequence, frame.time > last.time else {
                return .refused(
                    LiveProblem(
                        .wrongOrder, "sequence numbers and times of capture must increase", sequence: frame.sequence))
            }
            step = min(max(frame.time - last.time, 0.001), 1)
        }
        let time = frame.time - (first ?? frame.time)
        guard time < Self.longest else {
            return .refused(LiveProblem(.wrongOrder, "session too long; start a new one", sequence: frame.sequence))
        }
        first = first ?? frame.time
        last = (frame.sequence, frame.time)
        guard rate.admits(at: now) else {
            let isReported = warned.map { now - $0 >= .seconds(1) } ?? true
            if isReported { warned = now }
            return .tooFast(isReported: isReported)
        }
        let start = Int((time * 1e6).rounded())
        return .admitted(start..<start + max(1, Int((step * 1e6).rounded())))
    }
}
