import KinemaCore
import Foundation

/// The part of a hypothesis that is worth most: consecutive cycles and those of them that count.
struct CycleRun: Sendable {
    let hypothesis: Int
    /// The places of the cycles that count.
    let cycles: [Int]
    /// Seconds from the stretch's beginning.
    let start: Double, end: Double
    /// The sum of its cycles' durations, each times the excess of its probability, less what a run costs; seconds.
    let value: Float
    /// The median duration of its cycles, seconds.
    let length: Float
}

/// Runs that follow one another without overlap and are together worth the most.
private struct RunChain {
    private let ends: [Double]
    private var worth: [Float] = [0], counts: [Int] = [0], members: [[Int]] = [[]]

    /// Chains spans of time, each with its worth and count.
    init(_ spans: [(start: Double, end: Double, value: Float, count: Int)]) {
        let order = spans.indices.sorted { (spans[$0].end, $0) < (spans[$1].end, $1) }
        ends = order.map { spans[$0].end }
        for (index, number) in order.enumerated() {
            let span = spans[number]
            let earlier = Self.place(of: span.start, in: ends[..<index])
            if span.value + worth[earlier] > worth[index] {
                worth.append(span.value + worth[earlier])
                counts.append(counts[earlier] + span.count)
                members.append(members[earlier] + [number])
            } else {
                worth.append(worth[index])
                counts.append(counts[index])
                members.append(members[index])
            }
        }
    }

    /// The best chain that ends until a time.
    func best(until time: Double = .infinity) -> (value: Float, count: Int, members: [Int]) {
        let place = Self.place(of: time, in: ends[...])
        return (worth[place], counts[place], members[place])
    }

    /// How many values are at most the given one.
    private static func place(of value: Double, in values: ArraySlice<Double>) -> Int {
        values.partitioningIndex { $0 > value }
    }
}

/// A way to count a whole stretch of movement: a seed run with the best runs before and after it, or nothing at all.
struct CountSolution: Sendable {
    let count: Int
    /// The seed, then the others; none for nothing.
    let runs: [CycleRun]
    /// In the order of `SolutionEvidence.names`.
    var evidence: [Float] = []
    /// The probability among all solutions, 0...1.
    var probability: Float = 0
    let value: Float
}

/// Makes the solutions of a stretch with their evidence.
struct SolutionFinder {
    private let finder: HypothesisFinder
    private let configuration: CountingConfiguration
    private let runs: [CycleRun]
    private(set) var solutions: [CountSolution] = []

    /// Makes the solutions from hypotheses whose cycles have probabilities; the last solution is nothing.
    init(_ finder: HypothesisFinder, _ configuration: CountingConfiguration) {
        (self.finder, self.configuration) = (finder, configuration)
        runs = finder.hypotheses.indices.compactMap { Self.run($0, of: finder, configuration) }
        solutions = seeded + [CountSolution(count: 0, runs: [], value: 0)]
        let evidence = SolutionEvidence(finder, runs, solutions, best: chains.before.best())
        for index in solutions.indices { solutions[index].evidence = evidence.values(of: index) }
    }

    /// The consecutive cycles of a hypothesis that are worth the most; nil if they are worth less than a run costs.
    private static func run(
        _ index: Int, of finder: HypothesisFinder, _ configuration: CountingConfiguration
    ) -> CycleRun? {
        let (hypothesis, interval) = (finder.hypotheses[index], finder.track.interval)
        let lengths = hypothesis.cycles.map { $0.length * Float(interval) }
        let length = median(lengths)
        var (best, sum, first): (Float, Float, Int) = (0, 0, 0)
        var cycles = 0..<0
        for (place, probability) in hypothesis.probabilities.enumerated() {
            if sum <= 0 { (sum, first) = (0, place) }
            sum += (probability - configuration.breakEvenProbability) * min(lengths[place], 2 * length)
            if sum > best { (best, cycles) = (sum, first..<place + 1) }
        }
        // Each of a set of jumps counts, however unlike the others, if they are likely in the median.
        let isOfJumps =
            finder.jumps.count >= configuration.leastJumps && finder.isOfJumps(index)
            && median(hypothesis.probabilities) > configuration.leastProbability
        if isOfJumps { (cycles, best) = (hypothesis.cycles.indices, max(best, configuration.cost * length)) }
        let counted = cycles.filter { place in
            let cycle = hypothesis.cycles[place]
            return isOfJumps
                || hypothesis.probabilities[place] > configuration.leastProbability
                    && (!cycle.isOpen(finder.track) || cycle.back >= configuration.leastLastReturn * cycle.out)
        }
        guard let one = counted.first, let other = counted.last, isOfJumps || best > configuration.cost * length
        else { return nil }
        return CycleRun(
            hypothesis: index, cycles: counted, start: Double(hypothesis.cycles[one].start) * interval,
            end: Double(max(hypothesis.cycles[other].end, hypothesis.cycles[other].start + 1)) * interval,
            value: best - configuration.cost * length, length: length)
    }

    private var chains: (before: RunChain, after: RunChain) {
        let overlap = Double(configuration.overlap)
        let forward = runs.map { ($0.start, $0.end - overlap * Double($0.length), $0.value, $0.cycles.count) }
        let backward = runs.map { (-$0.end, -$0.start - overlap * Double($0.length), $0.value, $0.cycles.count) }
        return (RunChain(forward), RunChain(backward))
    }

    private var seeded: [CountSolution] {
        let (before, after) = chains
        let all = runs.map { run in
            let (one, other) = (before.best(until: run.start), after.best(until: -run.end))
            return CountSolution(
                count: run.cycles.count + one.count + other.count,
                runs: [run] + (one.members + other.members).map { runs[$0] }, value: run.value + one.value + other.value
            )
        }
        .enumerated().sorted { ($1.element.value, $0.offset) < ($0.element.value, $1.offset) }
        .map(\.element)
        let (best, rest) = (all.prefix(configuration.mostSolutions), all.dropFirst(configuration.mostSolutions))
        // The jumps are always asked for.
        return best + rest.filter { $0.runs.first.map { finder.isOfJumps($0.hypothesis) } ?? false }
    }
}

/// The named quantities from which whole solutions are judged.
struct SolutionEvidence {
    static let names =
        [
            // What the solution is worth, seconds, over the best one's worth and over the stretch's duration; how many
            // solutions there are (a logarithm), and the highest worth of any seed a second of its time.
            "worth", "worthShare", "worthRate", "solutions", "bestRate",
            // The mean, least, standard deviation and median of the seed's probabilities, the lesser of its ends', and that
            // of the cycles between its ends.
            "mean", "least", "deviation", "median", "ends", "between",
            // The logarithms of the seed's count, of the solution's (-1 for nothing) and of the latter over that of the
            // most valuable chain; the share of the stretch that the seed covers; the logarithm of its duration.
            "runCount", "solutionCount", "countShare", "cover", "runDuration",
            // The sum of the log odds of the seed's cycles, over the root of their number, and their mean; the root of the
            // number times the excess of the mean probability; the share of the hypothesis's cycles that count.
            "odds", "oddsByRoot", "oddsMean", "surplus", "counted",
            // The best seed over the same time that turns clearly more often, clearly less often, and as often, over this
            // one's worth; and the shares of the worth of all seeds there that turn as often, more often and less often.
            "rivalDouble", "rivalHalf", "rivalSame", "voteSame", "voteMore", "voteFewer",
            // The shares of the worth of all solutions with this count, with one more or less, and with more; the share of
            // solutions with it; and the weight of solutions about as good as the best with it, with more and with less.
            "worthOfCount", "worthBeside", "worthOfMore", "shareOfCount", "nearCount", "nearMore", "nearFewer",
            // Of the seed's first and last cycle: probability, and some of `CycleEvidence.each`.
            "firstProbability", "firstShape", "firstSize", "firstLength", "firstClosure", "firstBalance", "firstOff",
            "firstNet", "firstNetIn", "firstOpen",
            "lastProbability", "lastShape", "lastSize", "lastLength", "lastClosure", "lastBalance", "lastOff",
            "lastNet",
            "lastNetIn", "lastOpen",
            // The median and least of the network's repetitions in the seed's cycles; the standard deviation of the times
            // from turn to turn over their mean (-1 if there are none); the median length, seconds.
            "netMedian", "netLeast", "rhythm", "medianLength",
            // The network's count of the stretch, its logarithm, whether it rounds to the solution's count, its difference
            // from that, signed and absolute, and the share of rows inside repetitions; its count within the runs, the
            // logarithm of that over theirs, its count outside them, and the more of those before and after.
            "net", "netLog", "netRounds", "netAway", "netAwayAbs", "netInsideAll", "netWithin", "netWithinRatio",
            "netBeside",
            "netBesideMost",
        ] + CycleEvidence.whole.map { "seed" + $0.prefix(1).uppercased() + $0.dropFirst() }

    private let finder: HypothesisFinder
    private let runs: [CycleRun], solutions: [CountSolution]
    private let best: (value: Float, count: Int, members: [Int])
    private let worthAll: Float
    /// How near each solution comes to the best, 0...1 in all.
    private let near: [Float]
    private let bestRate: Float

    init(
        _ finder: HypothesisFinder, _ runs: [CycleRun], _ solutions: [CountSolution],
        best: (value: Float, count: Int, members: [Int])
    ) {
        (self.finder, self.runs, self.solutions, self.best) = (finder, runs, solutions, best)
        worthAll = solutions.reduce(1e-9) { $0 + $1.value }
        let weights = solutions.map { $0.runs.isEmpty ? 0 : exp(($0.value - best.value) / (0.05 * best.value + 1e-6)) }
        let sum = weights.reduce(1e-9, +)
        near = weights.map { $0 / sum }
        bestRate =
            solutions.compactMap { $0.runs.first }.map { $0.value / Float(max($0.end - $0.start, 1e-3)) }.max() ?? 0
    }

    /// The evidence of a solution; that of nothing is the best solution's, with a count of none.
    func values(of index: Int) -> [Float] {
        let solution = solutions[index]
        guard let described = solution.runs.isEmpty ? solutions.first : solution, let seed = described.runs.first else {
            return [Float](repeating: 0, count: Self.names.count)
        }
        let hypothesis = finder.hypotheses[seed.hypothesis]
        let probabilities = seed.cycles.map { hypothesis.probabilities[$0] }
        return worth(described) + certainty(probabilities) + counts(solution, described, seed)
            + odds(probabilities, of: hypothesis.cycles.count) + rivals(seed) + votes(solution.count, index)
            + end(hypothesis, seed.cycles.first ?? 0, isFirst: true)
            + end(hypothesis, seed.cycles.last ?? 0, isFirst: false)
            + rhythm(hypothesis, seed) + network(solution, described) + hypothesis.whole
    }

    private func worth(_ solution: CountSolution) -> [Float] {
        let seconds = Float(Double(finder.track.count) * finder.track.interval)
        return [
            solution.value, solution.value / max(best.value, 1e-6), solution.value / max(seconds, 1e-3),
            log(Float(runs.count)), bestRate,
        ]
    }

    private func certainty(_ probabilities: [Float]) -> [Float] {
        let mean = probabilities.reduce(0, +) / Float(probabilities.count)
        let spread = probabilities.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(probabilities.count)
        let between = probabilities.count > 2 ? median(Array(probabilities.dropFirst().dropLast())) : -1
        return [
            mean, probabilities.min() ?? 0, spread.squareRoot(), median(probabilities),
            min(probabilities.first ?? 0, probabilities.last ?? 0), between,
        ]
    }

    private func counts(_ solution: CountSolution, _ described: CountSolution, _ seed: CycleRun) -> [Float] {
        let isNothing = solution.runs.isEmpty
        let (duration, seconds) = (seed.end - seed.start, Double(finder.track.count) * finder.track.interval)
        return [
            isNothing ? -1 : log(Float(seed.cycles.count)), isNothing ? -1 : log(Float(solution.count)),
            isNothing ? -5 : log(Float(solution.count) / Float(max(1, best.count))),
            Float(duration / max(seconds, 1e-3)),
            log(Float(duration) + 0.1),
        ]
    }

    private func odds(_ probabilities: [Float], of all: Int) -> [Float] {
        let count = Float(probabilities.count)
        let sum = probabilities.reduce(Float(0)) { sum, own in
            let bounded = min(0.98, max(0.02, own))
            return sum + log(bounded / (1 - bounded))
        }
        let mean = probabilities.reduce(0, +) / count
        return [
            sum, sum / count.squareRoot(), sum / count, count.squareRoot() * (mean - 0.35), count / Float(max(1, all)),
        ]
    }

    private func rivals(_ seed: CycleRun) -> [Float] {
        func rate(_ run: CycleRun) -> Float { Float(run.cycles.count) / Float(max(run.end - run.start, 1e-3)) }
        let own = rate(seed)
        var (double, half, same): (Float, Float, Float) = (0, 0, 0)
        var (votes, more, fewer, all): (Float, Float, Float, Float) = (0, 0, 0, 1e-9)
        for other in solutions.compactMap({ $0.runs.first }) {
            let shared = min(other.end, seed.end) - max(other.start, seed.start)
            guard shared > 0.5 * min(seed.end - seed.start, other.end - other.start) else { continue }
            let ratio = log(rate(other) / own)
            if ratio > 0.4, ratio < 1 { double = max(double, other.value) }
            if ratio < -0.4, ratio > -1 { half = max(half, other.value) }
            if abs(ratio) < 0.1 {
                same = max(same, other.value)
                votes += other.value
            } else if ratio > 0 {
                more += other.value
            } else {
                fewer += other.value
            }
            all += other.value
        }
        return [double, half, same].map { min(5, $0 / max(seed.value, 1e-6)) } + [votes / all, more / all, fewer / all]
    }

    private func votes(_ count: Int, _ index: Int) -> [Float] {
        var (own, beside, more, number): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (nearOwn, nearMore, nearFewer): (Float, Float, Float) = (0, 0, 0)
        for (place, solution) in solutions.enumerated() {
            if solution.count == count {
                own += solution.value
                number += 1
                nearOwn += near[place]
            } else if solution.count > count {
                more += solution.value
                nearMore += near[place]
            } else {
                nearFewer += near[place]
            }
            if abs(solution.count - count) == 1 { beside += solution.value }
        }
        return [
            own / worthAll, beside / worthAll, more / worthAll, number / Float(solutions.count), nearOwn, nearMore,
            nearFewer,
        ]
    }

    private static let ofEnds = [
        "shape", "size", "length", "closure", "balance", "cycleDensityOff", "netCycle", "netIn",
    ]
    .map(CycleEvidence.place(ofEach:))
    private static let opens = ["openStart", "openEnd"].map(CycleEvidence.place(ofEach:))

    private func end(_ hypothesis: CycleHypothesis, _ cycle: Int, isFirst: Bool) -> [Float] {
        let each = hypothesis.each[cycle]
        return [hypothesis.probabilities[cycle]] + Self.ofEnds.map { each[$0] } + [each[Self.opens[isFirst ? 0 : 1]]]
    }

    private static let netCycle = CycleEvidence.place(ofEach: "netCycle")

    private func rhythm(_ hypothesis: CycleHypothesis, _ seed: CycleRun) -> [Float] {
        let net = seed.cycles.map { hypothesis.each[$0][Self.netCycle] }
        let turns = zip(seed.cycles, seed.cycles.dropFirst()).map {
            Float(hypothesis.cycles[$1].turn - hypothesis.cycles[$0].turn)
        }
        let mean = turns.reduce(0, +) / Float(max(1, turns.count))
        let spread = turns.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(max(1, turns.count))
        return [
            median(net), net.min() ?? 0, turns.isEmpty ? -1 : spread.squareRoot() / max(1, mean), seed.length,
        ]
    }

    private func network(_ solution: CountSolution, _ described: CountSolution) -> [Float] {
        let (reading, interval) = (finder.network, finder.track.interval)
        func count(until time: Double) -> Float { reading.count(until: Int(time / interval)) }
        let total = reading.count
        let within = solution.runs.reduce(Float(0)) { $0 + count(until: $1.end) - count(until: $1.start) }
        let first = solution.runs.map(\.start).min() ?? 0, last = solution.runs.map(\.end).max() ?? 0
        let (before, after) = solution.runs.isEmpty ? (total, 0) : (count(until: first), total - count(until: last))
        let away = total - Float(solution.count)
        return [
            total, log(total + 0.3), Int(total.rounded()) == solution.count ? 1 : 0, away, abs(away), reading.share,
            within, log((within + 0.3) / (Float(solution.count) + 0.3)), total - within, max(before, after),
        ]
    }
}
