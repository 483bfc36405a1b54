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
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
