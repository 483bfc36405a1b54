/// Detects a source that keeps sending the same picture; the wait doubles while that continues after reconnecting.
struct FrozenFrameDetector {
    private let initialTimeout: Duration?
    private var timeout: Duration?
    private var last: UInt64?
    /// The time of the last change, on the monotonic clock.
    private var since = Duration.zero

    init(timeout: Duration?) {
        initialTimeout = timeout
        self.timeout = timeout
    }

    /// Takes the next picture's digest and arrival time; true if the source is frozen.
    mutating func isFrozen(_ digest: UInt64, at time: Duration) -> Bool {
        guard let timeout else { return false }
        if digest != last {
            (last, since, self.timeout) = (digest, time, initialTimeout)
            return false
        }
        guard time - since >= timeout else { return false }
        since = time
        self.timeout = timeout * 2
        return true
    }
}
