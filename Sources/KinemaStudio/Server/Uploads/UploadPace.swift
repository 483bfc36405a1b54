/// Watches that an upload comes fast enough, by so many bytes a second over each stretch of time.
struct UploadPace {
    private let rate: Int
    private let window: Duration
    private var began: ContinuousClock.Instant
    private var bytes = 0

    /// Watches from this moment on.
    init(_ limits: StudioLimits, from begin: ContinuousClock.Instant) {
        (rate, window, began) = (limits.uploadRate, limits.uploadWindow, begin)
    }

    /// Takes note of bytes that came; false when too few did since the stretch began.
    mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        bytes += count
        guard now - began >= window else { return true }
        let isEnough = Double(bytes) >= Double(rate) * ((now - began) / .seconds(1))
        (began, bytes) = (now, 0)
        return isEnough
    }
}
