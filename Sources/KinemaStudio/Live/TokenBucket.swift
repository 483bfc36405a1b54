/// Limits a rate, with a burst above it.
struct TokenBucket: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var tokens: Double
    private var last: ContinuousClock.Instant?

    init(perSecond: Int, burst: Int) {
        (self.perSecond, self.burst, tokens) = (Double(perSecond), Double(burst), Double(burst))
    }

    /// Whether an event is within the rate at a monotonic time.
    mutating func admits(at now: ContinuousClock.Instant) -> Bool {
        if let last { tokens = min(burst, tokens + max(0, (now - last) / .seconds(1)) * perSecond) }
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
