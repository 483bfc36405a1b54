import Foundation

/// The processor time this process has used, as measurements need it.
enum ProcessorTime {
    /// Seconds of processor time of all threads, and on the clock.
    static func cost(_ body: () async throws -> Void) async rethrows -> (cpu: Double, wall: Double) {
        let (start, clock) = (used(), ContinuousClock.now)
        try await body()
        return (used() - start, (ContinuousClock.now - clock) / .seconds(1))
    }

    private static func used() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
