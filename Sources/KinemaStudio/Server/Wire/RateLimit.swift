/// How often something may happen: so many a second, lasting, and a burst above that.
struct RateLimit {
    private let perSecond: Double
    private let burst: Double
    private var left: Double
    private var last: Double?

    init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(burst)
        left = Double(burst)
    }

    /// Whether it may happen now, at a time in seconds on a clock that only rises.
    mutating func admits(at now: Double) -> Bool {
        left = min(burst, left + max(0, now - (last ?? now)) * perSecond)
        last = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
