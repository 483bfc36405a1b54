import Foundation

enum ProcessorTime {
    /// The processor time of all threads and the wall-clock time, in seconds.
    static func cost(_ body: () async throws -> Void) async rethrows -> (cpu: Double, wall: Double) {
        let (start, clock) = (used(), ContinuousClock.now)
        try await body()
        return (used() - start, (ContinuousClock.now - clock) / .seconds(1))
    }

    /// The processor time of one of `count` passes in seconds, in the fastest of five rounds.
    static func fastest(_ count: Int, _ body: () async throws -> Void) async rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<5 { best = min(best, try await cost(body).cpu / Double(count)) }
        return best
    }

    private static func used() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        let (whole, rest) = (user.tv_sec + system.tv_sec, user.tv_usec + system.tv_usec)
        return Double(whole) + Double(rest) / 1e6
    }
}
