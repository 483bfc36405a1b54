/// Chooses how many videos to work on at once: more while that gives more frames per second.
struct WorkerTuning {
    struct Measure: Equatable {
        var workers: Int
        var rate: Double
    }

    private(set) var workers: Int
    private(set) var measures: [Measure] = []
    private(set) var isSettled: Bool
    private let most: Int

    /// The gain in speed that justifies more videos in memory: above the noise of two equal measurements.
    static let gain = 1.05
    /// An upper bound on the memory for one video's decoder, pictures and share of the models, in bytes.
    static let memoryPerVideo = 512 << 20

    /// Uses the given number, or searches from half the processors, since a video keeps about two busy, up to 1.5 times
    /// the processors or the limit of `memory` (bytes; nil if unknown).
    init(_ given: Int?, processors: Int, memory: Int? = nil) {
        let fitting = memory.map { max(1, $0 / Self.memoryPerVideo) } ?? .max
        most = min(fitting, max(2, processors * 3 / 2))
        workers = given ?? min(most, max(1, processors / 2))
        isSettled = given != nil || workers >= most
    }

    mutating func take(rate: Double) {
        guard !isSettled else { return }
        let best = measures.last
        measures.append(Measure(workers: workers, rate: rate))
        if let best, rate < best.rate * Self.gain {
            (workers, isSettled) = (best.workers, true)
        } else if workers >= most {
            isSettled = true
        } else {
            workers = min(most, workers + max(1, workers / 4))
        }
    }

    /// The choice and its reason; nil before a measurement.
    var summary: String? {
        guard isSettled, !measures.isEmpty else { return nil }
        let speeds = measures.map { "\($0.workers) at once gave \(Int($0.rate.rounded())) frames/s" }
        return "\(workers) at once is best here: \(speeds.joined(separator: ", "))"
    }
}
