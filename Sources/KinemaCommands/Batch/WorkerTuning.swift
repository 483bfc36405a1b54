/// Chooses how many videos to work on at once by measuring: more, as long as that brings more frames per second.
struct WorkerTuning {
    /// What was measured with so many videos at once.
    struct Measure: Equatable {
        var workers: Int
        /// Frames per second of all of them together.
        var rate: Double
    }

    /// How many to work on now.
    private(set) var workers: Int
    private(set) var measures: [Measure] = []
    /// Whether the number is found.
    private(set) var isSettled: Bool
    private let most: Int

    /// So much faster has it to be for one more video in memory: above what two measurements of the same differ by.
    static let gain = 1.05
    /// A video's decoder, pictures and share of the models take less than this, in bytes.
    static let memoryPerVideo = 512 << 20

    /// A number that is given, or the search for it.
    ///
    /// The search begins with half the processors, since a video keeps about two busy: one decodes and looks, one follows
    /// and judges. It ends with half as many again as there are, or where `memory` ends (bytes; nil when unknown).
    init(_ given: Int?, processors: Int, memory: Int? = nil) {
        let fitting = memory.map { max(1, $0 / Self.memoryPerVideo) } ?? .max
        most = min(fitting, max(2, processors * 3 / 2))
        workers = given ?? min(most, max(1, processors / 2))
        isSettled = given != nil || workers >= most
    }

    /// Takes what was measured with the present number.
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

    /// What was chosen and why, for people; nil as long as nothing was measured.
    var summary: String? {
        guard isSettled, !measures.isEmpty else { return nil }
        let told = measures.map { "\($0.workers) at once gave \(Int($0.rate.rounded())) frames/s" }
        return "\(workers) at once is best here: \(told.joined(separator: ", "))"
    }
}
