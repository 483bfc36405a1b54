import Foundation
import KinemaCore

/// How likely each count is: the posterior of a judge that weighs whole ways to count against each other.
public struct CountPosterior: Sendable, Hashable, Codable {
    /// The probability of each count, 0...1; they add up to 1.
    public private(set) var probabilities: [Int: Double]

    /// No repetition, with certainty.
    public init() { probabilities = [0: 1] }

    init(_ probabilities: [Int: Double]) {
        let sum = probabilities.values.reduce(0, +)
        self.probabilities = sum > 0 ? probabilities.mapValues { $0 / sum } : [0: 1]
    }

    /// The likeliest count.
    public var count: Int {
        probabilities.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0
    }

    /// The probability of a count, 0...1.
    public func probability(of count: Int) -> Double { probabilities[count] ?? 0 }

    /// That of the sum with an independent count, without what is negligible.
    func adding(_ other: CountPosterior) -> CountPosterior {
        var sums: [Int: Double] = [:]
        for (one, first) in probabilities {
            for (two, second) in other.probabilities { sums[one + two, default: 0] += first * second }
        }
        return CountPosterior(sums.filter { $0.value > 1e-4 })
    }

    /// The same with the likeliest count moved to another.
    func moved(to count: Int) -> CountPosterior {
        let step = count - self.count
        return CountPosterior(Dictionary(probabilities.map { (max(0, $0.key + step), $0.value) }) { $0 + $1 })
    }
}

/// What is expected of the movement before it is seen.
public enum CountExpectation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Somebody exercises and asks for the count: a recording of a set.
    case exercise
    /// Anything may happen, mostly nothing that counts: a camera that watches.
    case anything
}

/// One reading of a stretch of movement: every hypothesis, the solutions made of them, and the one that is believed.
struct CountReading: Sendable {
    let finder: HypothesisFinder
    let hypotheses: [CycleHypothesis]
    /// With their probabilities; the last one is nothing.
    let solutions: [CountSolution]
    let posterior: CountPosterior
    /// The solution with the likeliest count whose repetitions begin where the body rests, see `fitness`; nil if that is
    /// nothing.
    let chosen: CountSolution?
    private let configuration: CountingConfiguration

    /// Reads a track. Movements of the camera and not of the body, as `isOfCamera` says of some seconds, do not count.
    /// A set stays in step with the repetitions that were reported of it.
    init(
        _ track: MovementTrack, _ configuration: CountingConfiguration,
        continuing reported: ArraySlice<Repetition> = [],
        isOfCamera: ([Repetition]) -> Bool = { _ in false }
    ) {
        self.configuration = configuration
        let weights = CountingWeights.inUse
        var finder = HypothesisFinder(track, configuration, network: weights.network.reading(track))
        finder.judge(by: weights)
        (self.finder, hypotheses) = (finder, finder.hypotheses)
        var solutions = SolutionFinder(finder, configuration).solutions
        let sums = weights.solutions.sums(solutions.flatMap(\.evidence))
        let odds = zip(solutions, sums).map { solution, sum in
            guard !solution.runs.isEmpty else { return track.isStretched ? sum : sum + configuration.nothing }
            return sum + Self.ofJumps(solution, finder, configuration)
        }
        let most = odds.max() ?? 0
        let all = odds.reduce(0) { $0 + exp($1 - most) }
        for (index, own) in odds.enumerated() { solutions[index].probability = exp(own - most) / all }
        var counts: [Int: Double] = [:]
        for solution in solutions { counts[solution.count, default: 0] += Double(solution.probability) }
        let likely = CountPosterior(counts.mapValues { pow($0, configuration.sharpness) })
        let right = solutions.filter { $0.count == likely.count }
        let least = configuration.leastShare * (right.map(\.probability).max() ?? 0)
        let best = right.filter { $0.probability >= least }.map {
            ($0, Self.fitness($0, finder, configuration, continuing: reported))
        }.max { $0.1 < $1.1 }?.0
        let isBody = best.map { !$0.runs.isEmpty && !isOfCamera(Self.repetitions($0, finder)) } ?? false
        (self.solutions, posterior) = (solutions, isBody ? likely : likely.count == 0 ? likely : CountPosterior())
        chosen = isBody ? best : nil
    }

    /// What the jumps within a solution add to the logarithm of its odds: more where it has one repetition for each
    /// of the stretch, less where it has about two, for then it takes the dip before a jump and the landing for one each.
    private static func ofJumps(
        _ solution: CountSolution, _ finder: HypothesisFinder, _ configuration: CountingConfiguration
    ) -> Float {
        let within = solution.runs.reduce(0) { sum, run in
            let margin = Double(run.length) / 2
            let span = run.start - margin...run.end + margin
            return sum + finder.jumps.count { span.contains(Double($0) * finder.track.interval) }
        }
        guard within > 0 else { return 0 }
        let share = Double(solution.count) / Double(within)
        return share == 1 && within == finder.jumps.count
            ? configuration.jumpEach : configuration.splitJumps.contains(share) ? -configuration.jumpSplit : 0
    }

    /// How well a solution says when its repetitions begin and end, among those with the same count: how likely it is, less
    /// for each amplitude that the body is away from where they begin before and after, more the longer it stays there, more
    /// for each reported repetition that it has, and more for the movement of the whole body than for one limb's and the
    /// network's wave.
    private static func fitness(
        _ solution: CountSolution, _ finder: HypothesisFinder, _ configuration: CountingConfiguration,
        continuing reported: ArraySlice<Repetition>
    ) -> Float {
        guard let seed = solution.runs.first else { return 0 }
        let whole = finder.hypotheses[seed.hypothesis].whole
        let away = ["before", "after"].reduce(Float(0)) { $0 + whole[CycleEvidence.place(of: $1)] }
        let repetitions = reported.isEmpty ? [] : Self.repetitions(solution, finder)
        let kept = reported.count { known in
            repetitions.contains { $0.overlap(with: known) > configuration.sameOverlap }
        }
        let family = finder.signals[finder.hypotheses[seed.hypothesis].signal].family
        let dwell = max(-1, min(1, whole[CycleEvidence.place(of: "dwell")]))
        return log(max(solution.probability, 1e-6)) - configuration.awayWeight * away
            + configuration.dwellWeight * dwell
            + configuration.continuity * Float(kept)
            + (family == .placed || family == .centred
                ? configuration.wholeBodyWeight : family == .network ? -configuration.waveWeight : 0)
    }

    /// The median duration of the repetitions of the believed solution, seconds of the recording; nil if there are fewer than
    /// three.
    var tempo: TimeInterval? {
        guard let chosen, chosen.count > 2 else { return nil }
        return Double(median(Self.repetitions(chosen, finder).map { Float($0.end - $0.start) }))
    }

    /// The sets of the chosen solution, in order of time: the runs with their repetitions.
    var sets: [(run: CycleRun, repetitions: [Repetition])] {
        guard let chosen else { return [] }
        return chosen.runs.sorted { $0.start < $1.start }.map { run in
            (
                run,
                Self.repetitions(of: run, finder).map { one in
                    // How likely it is: that of all solutions that hold it.
                    var one = one
                    one.confidence = solutions.reduce(0) { $0 + (holds($1, one) ? $1.probability : 0) }
                    return one
                }
            )
        }
    }

    /// The run of the signal that most of the body's movement follows, of those that turn when another run does and can be
    /// read off one body, to chart the set; nil if little of it follows any of them.
    func chart(of run: CycleRun) -> (hypothesis: Int, cycles: [Int])? {
        let own = run.cycles.map { hypotheses[run.hypothesis].cycles[$0] }
        let near = configuration.sameTurn * median(own.map(\.length))
        let found = hypotheses.indices.compactMap { index -> (hypothesis: Int, cycles: [Int], share: Float)? in
            let signal = finder.signals[hypotheses[index].signal]
            guard signal.measure != nil, signal.share > configuration.leastCharted else { return nil }
            let cycles = hypotheses[index].cycles.indices.filter { place in
                own.contains { abs(Float($0.turn - hypotheses[index].cycles[place].turn)) <= near }
            }
            return cycles.count == own.count ? (index, cycles, signal.share) : nil
        }
        return found.max { $0.share < $1.share }.map { ($0.hypothesis, $0.cycles) }
    }

    private func holds(_ solution: CountSolution, _ one: Repetition) -> Bool {
        solution.runs.contains { run in
            run.cycles.contains { place in
                let cycle = hypotheses[run.hypothesis].cycles[place]
                let own = Repetition(
                    start: finder.track.time(cycle.start), end: finder.track.time(cycle.end), confidence: 1)
                return own.overlap(with: one) > configuration.sameOverlap
            }
        }
    }

    private static func repetitions(_ solution: CountSolution, _ finder: HypothesisFinder) -> [Repetition] {
        solution.runs.flatMap { repetitions(of: $0, finder) }
    }

    private static func repetitions(of run: CycleRun, _ finder: HypothesisFinder) -> [Repetition] {
        let hypothesis = finder.hypotheses[run.hypothesis]
        let values = finder.signals[hypothesis.signal].values
        let returns = run.cycles.map { hypothesis.cycles[$0] }.filter { !$0.isOpen(finder.track) }.map {
            Float($0.end - $0.turn)
        }
        return run.cycles.map { place in
            let (start, end) = hypothesis.cycles[place].times(
                values, finder.track, usualReturn: returns.isEmpty ? nil : median(returns))
            return Repetition(start: start, end: max(start, end), confidence: hypothesis.probabilities[place])
        }
    }
}

extension CountReading {
    /// Everything it was decided from, for `script/counting`: little-endian Float32 numbers.
    ///
    /// The number of hypotheses; of each its number of cycles, family and hysteresis, for each cycle the times of its start,
    /// turn and end, then the evidence of the run and of each cycle. Then the number of solutions; of each its count, its
    /// probability, its number of repetitions and the start and end of each, and its evidence.
    var numbers: [Float] {
        var numbers = [Float(hypotheses.count)]
        for hypothesis in hypotheses {
            let family = CycleEvidence.place(of: "family")
            numbers += [Float(hypothesis.cycles.count), hypothesis.whole[family], hypothesis.hysteresis]
            for cycle in hypothesis.cycles {
                numbers += [cycle.start, cycle.turn, max(cycle.end, cycle.start + 1)].map {
                    Float(finder.track.time($0))
                }
            }
            numbers += hypothesis.whole
            numbers += hypothesis.each.joined()
        }
        numbers.append(Float(solutions.count))
        for solution in solutions {
            let repetitions = Self.repetitions(solution, finder).sorted { $0.start < $1.start }
            numbers += [Float(solution.count), solution.probability, Float(repetitions.count)]
            numbers += repetitions.flatMap { [Float($0.start), Float($0.end)] }
            numbers += solution.evidence
        }
        return numbers
    }
}
