/// One way to count a stretch of movement, its evidence, and what became of it: a line of `kinema count --explain`.
public struct CycleExplanation: Encodable, Sendable {
    /// One cycle of it.
    public struct Cycle: Encodable, Sendable {
        /// The turning points at its start, middle and end, seconds.
        public var from, turn, to: Double
        /// The probability that it is a repetition, 0...1.
        public var probability: Double
        /// Whether it is a repetition of a hypothesis that was chosen.
        public var isTaken: Bool
        /// The evidence for that, by name.
        public var evidence: [String: Double]
    }

    /// A quantity of evidence, and how strongly it speaks for or against repetitions.
    public struct Reason: Encodable, Sendable, Hashable {
        /// The quantity's name.
        public var name: String
        /// What the trees' decisions on it add to the logarithm of the odds, averaged over the cycles.
        public var weight: Double
    }

    /// What kind of signal it follows: a principal component of the joints in the picture (`placed`) or on the body
    /// (`centred`), an `angle`, `height`, `distance` or `length`, or the `network`.
    public var family: String
    /// Its number within the family, counted from 0.
    public var component: Int
    /// The window's beginning and end, seconds.
    public var window: [Double]
    /// The return that makes a turning point, as a share of the signal's range.
    public var hysteresis: Double
    /// The evidence about the whole run, by name.
    public var evidence: [String: Double]
    /// The cycles in order of time.
    public var cycles: [Cycle]
    /// What it is worth, seconds; 0 if its evidence is too weak.
    public var value: Double
    /// The count of the likeliest solution that it is the seed of, and that solution's probability, 0...1; 0 if none is.
    public var count: Int, solution: Double
    /// Whether it is part of the believed solution.
    public var isTaken: Bool
    /// What speaks most strongly for and against repetitions, the strongest first.
    public var speaksFor, speaksAgainst: [Reason]
    /// The index of the analysed stretch of movement.
    public var stretch: Int
    /// The signal's values, thinned out, if it is worth charting; not part of the line.
    public var curve: [SignalPoint] = []

    /// A point along a signal.
    public struct SignalPoint: Sendable, Hashable {
        /// Seconds.
        public var time: Double
        /// 0 at the signal's minimum around the cycles, 1 at its maximum.
        public var value: Double
    }

    private enum CodingKeys: String, CodingKey {
        case family, component, window, hysteresis, evidence, cycles, value, count, solution, isTaken, stretch
        case speaksFor = "for"
        case speaksAgainst = "against"
    }

    /// The mean probability of its cycles, 0...1.
    public var probability: Double {
        cycles.isEmpty ? 0 : cycles.reduce(0) { $0 + $1.probability } / Double(cycles.count)
    }
}

extension CycleExplanation {
    /// Every hypothesis of a stretch with its evidence, and what became of it.
    static func all(
        _ reading: CountReading, stretch: Int
    ) -> [CycleExplanation] {
        var seeded: [Int: CountSolution] = [:]
        for solution in reading.solutions {
            guard let seed = solution.runs.first, solution.probability > seeded[seed.hypothesis]?.probability ?? -1
            else { continue }
            seeded[seed.hypothesis] = solution
        }
        let taken = Dictionary(
            (reading.chosen?.runs ?? []).map { ($0.hypothesis, Set($0.cycles)) }, uniquingKeysWith: { $0.union($1) })
        var all = reading.hypotheses.indices.map { index in
            CycleExplanation(
                reading.hypotheses[index], of: reading.finder, stretch: stretch, solution: seeded[index],
                taken: taken[index])
        }
        for index in worthALook(all) {
            let signal = reading.finder.signals[reading.hypotheses[index].signal]
            all[index].curve = curve(signal, of: all[index], reading.finder.track)
        }
        return all
    }

    private init(
        _ hypothesis: CycleHypothesis, of finder: HypothesisFinder, stretch: Int, solution: CountSolution?,
        taken: Set<Int>?
    ) {
        let (signal, track) = (finder.signals[hypothesis.signal], finder.track)
        func named(_ names: [String], _ values: [Float]) -> [String: Double] {
            Dictionary(zip(names, values.map { Self.rounded($0) })) { first, _ in first }
        }
        (family, component, self.stretch) = (signal.family.rawValue, signal.component, stretch)
        window = [signal.window.lowerBound, signal.window.upperBound - 1].map { Self.rounded(track.time($0)) }
        hysteresis = Self.rounded(hypothesis.hysteresis)
        evidence = named(CycleEvidence.whole, hypothesis.whole)
        cycles = hypothesis.cycles.indices.map { place in
            let cycle = hypothesis.cycles[place]
            return Cycle(
                from: Self.rounded(track.time(cycle.from)), turn: Self.rounded(track.time(cycle.turn)),
                to: Self.rounded(track.time(cycle.to)), probability: Self.rounded(hypothesis.probabilities[place]),
                isTaken: taken?.contains(place) ?? false, evidence: named(CycleEvidence.each, hypothesis.each[place]))
        }
        (value, count) = (Self.rounded(solution?.runs.first?.value ?? 0), solution?.count ?? 0)
        (self.solution, isTaken) = (Self.rounded(solution?.probability ?? 0), taken != nil)
        let names = CycleEvidence.whole + CycleEvidence.each
        var sums = [Float](repeating: 0, count: names.count)
        for each in hypothesis.each {
            let weights = CountingWeights.inUse.cycles.contributions(hypothesis.whole + each)
            for (place, weight) in weights.enumerated() { sums[place] += weight / Float(hypothesis.each.count) }
        }
        let reasons = zip(names, sums).map { Reason(name: $0, weight: Self.rounded($1)) }
            .sorted { ($0.weight, $0.name) < ($1.weight, $1.name) }
        speaksAgainst = Array(reasons.prefix(Self.reasons).filter { $0.weight < 0 })
        speaksFor = Array(reasons.suffix(Self.reasons).reversed().filter { $0.weight > 0 })
    }

    /// How many quantities are reported for and against repetitions.
    private static let reasons = 3

    /// Four decimals are more than any of this is accurate to.
    package static func rounded(_ value: some BinaryFloatingPoint) -> Double {
        (Double(value) * 10_000).rounded() / 10_000
    }

    // MARK: What is worth charting

    /// At most this many rejected hypotheses of a stretch are charted.
    private static let refused = 6
    /// Two hypotheses are nearly the same if they share this much of their time and their numbers of cycles differ by
    /// less than this share.
    private static let sharedTime = 0.6, otherCount = 0.15
    /// At most this many values of a signal are kept.
    private static let points = 400

    /// The indices of the chosen hypotheses and of the best rejected ones, no two of which have nearly the same cycles.
    private static func worthALook(_ ways: [CycleExplanation]) -> [Int] {
        let taken = ways.indices.filter { ways[$0].isTaken }
        var shown = taken
        let others = ways.indices.filter { !ways[$0].isTaken }.map { ($0, ways[$0].solution, ways[$0].value) }
            .sorted { ($0.1, $0.2, -$0.0) > ($1.1, $1.2, -$1.0) }
        for (index, _, _) in others where shown.count < taken.count + refused {
            if !shown.contains(where: { ways[$0].isNearly(ways[index]) }) { shown.append(index) }
        }
        return shown
    }

    private func isNearly(_ other: CycleExplanation) -> Bool {
        guard let first = cycles.first, let last = cycles.last, let start = other.cycles.first,
            let end = other.cycles.last
        else { return true }
        let shared = min(last.to, end.to) - max(first.from, start.from)
        let all = max(last.to, end.to) - min(first.from, start.from)
        let (more, fewer) = (max(cycles.count, other.cycles.count), min(cycles.count, other.cycles.count))
        return shared > Self.sharedTime * all && Double(more - fewer) < Self.otherCount * Double(more)
    }

    /// The signal around the cycles: the minimum and maximum of each bin of time.
    private static func curve(
        _ signal: CandidateSignal, of way: CycleExplanation, _ track: MovementTrack
    ) -> [SignalPoint] {
        guard let first = way.cycles.first, let last = way.cycles.last else { return [] }
        let margin = 0.1 * (last.to - first.from) + 0.5
        func row(_ time: Double) -> Int { track.row(at: time) }
        let rows = Array(row(min(first.from, way.window[0]) - margin)...row(max(last.to, way.window[1]) + margin))
        let inside = signal.values[row(first.from)...row(last.to)]
        guard let low = inside.min(), let high = inside.max(), high > low else { return [] }
        let step = max(1, (2 * rows.count + points - 1) / points)
        return stride(from: 0, to: rows.count, by: step).flatMap { start in
            let piece = rows[start..<min(start + step, rows.count)]
            let least = piece.min { signal.values[$0] < signal.values[$1] } ?? piece[start]
            let most = piece.max { signal.values[$0] < signal.values[$1] } ?? piece[start]
            return Set([least, most]).sorted().map { row in
                SignalPoint(
                    time: rounded(track.time(row)), value: rounded((signal.values[row] - low) / (high - low)))
            }
        }
    }
}
