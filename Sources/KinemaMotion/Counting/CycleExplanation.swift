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

    /// How joint positions are measured: `placed` in the picture, or `centred` on the body.
    public var frame: String
    /// Which principal component of the window it follows, counted from 0.
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
    /// Why it was chosen or not.
    public var verdict: String
    /// Whether it was chosen.
    public var isTaken: Bool
    /// How many repetitions it added to those already reported.
    public var added = 0
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
        case frame, component, window, hysteresis, evidence, cycles, value, verdict, isTaken, added, stretch
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
        _ finder: HypothesisFinder, _ configuration: CountingConfiguration, stretch: Int
    ) -> [CycleExplanation] {
        let selection = SetSelection(finder, configuration)
        let chosen = selection.chosen
        var ways = finder.hypotheses.indices.map { index in
            CycleExplanation(
                finder.hypotheses[index], of: finder, configuration, stretch: stretch,
                value: selection.candidate(index)?.value ?? 0, taken: chosen.first { $0.index == index }?.cycles)
        }
        for index in worthALook(ways) {
            ways[index].curve = curve(finder.signals[finder.hypotheses[index].signal], of: ways[index], finder.track)
        }
        return ways
    }

    private init(
        _ hypothesis: CycleHypothesis, of finder: HypothesisFinder, _ configuration: CountingConfiguration,
        stretch: Int, value: Float, taken: Range<Int>?
    ) {
        let (signal, track) = (finder.signals[hypothesis.signal], finder.track)
        func named(_ names: [String], _ values: [Float]) -> [String: Double] {
            Dictionary(zip(names, values.map { Self.rounded($0) })) { first, _ in first }
        }
        (frame, component, self.stretch) = (signal.frame.rawValue, signal.component, stretch)
        window = [signal.window.lowerBound, signal.window.upperBound - 1].map { Self.rounded(track.time($0)) }
        hysteresis = Self.rounded(hypothesis.hysteresis)
        evidence = named(CycleEvidence.whole, hypothesis.whole)
        cycles = hypothesis.cycles.indices.map { place in
            let cycle = hypothesis.cycles[place]
            return Cycle(
                from: Self.rounded(track.time(cycle.from)), turn: Self.rounded(track.time(cycle.turn)),
                to: Self.rounded(track.time(cycle.to)), probability: Self.rounded(hypothesis.probabilities[place]),
                isTaken: (taken?.contains(place) ?? false)
                    && hypothesis.probabilities[place] > configuration.leastProbability,
                evidence: named(CycleEvidence.each, hypothesis.each[place]))
        }
        (self.value, isTaken) = (Self.rounded(value), taken != nil)
        verdict = Self.verdict(hypothesis.probabilities, value: value, isTaken: taken != nil, configuration)
        let reasons = CycleScore.inUse.reasons(hypothesis.whole, hypothesis.each)
            .map { Reason(name: $0.name, weight: Self.rounded($0.weight)) }
            .sorted { ($0.weight, $0.name) < ($1.weight, $1.name) }
        speaksAgainst = Array(reasons.prefix(Self.reasons).filter { $0.weight < 0 })
        speaksFor = Array(reasons.suffix(Self.reasons).reversed().filter { $0.weight > 0 })
    }

    /// How many quantities are reported for and against repetitions.
    private static let reasons = 3

    private static func verdict(
        _ probabilities: [Float], value: Float, isTaken: Bool, _ configuration: CountingConfiguration
    ) -> String {
        if isTaken { return "taken: worth the most" }
        if value > 0 { return "not taken: others explain the same time better" }
        let likely = probabilities.count { $0 > configuration.breakEvenProbability }
        return likely == 0
            ? "not taken: too unsure, no cycle is likelier than \(configuration.breakEvenProbability)"
            : "not taken: too unsure, though \(likely) of \(probabilities.count) are likelier than \(configuration.breakEvenProbability)"
    }

    /// Records how many repetitions of a chosen set were reported before, and how many are added.
    mutating func explain(known: Int, of count: Int, added: Int) {
        self.added = added
        verdict +=
            "; it has \(count) repetitions and \(known) \(known == 1 ? "was" : "were") reported live, "
            + (added > 0 ? "so \(added) more are added" : "which is enough")
    }

    /// Records that it was chosen because it continues a set across a break.
    mutating func takeBesideSet() {
        (isTaken, verdict) = (true, "taken: a set goes on across a break")
        for index in cycles.indices where cycles[index].probability > Double(CountingConfiguration().leastProbability) {
            cycles[index].isTaken = true
        }
    }

    /// Four decimals are more than any of this is accurate to.
    static func rounded(_ value: some BinaryFloatingPoint) -> Double {
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
        let others = ways.indices.filter { !ways[$0].isTaken }.map { ($0, ways[$0].value, ways[$0].probability) }
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
        func row(_ time: Double) -> Int { min(track.count - 1, max(0, Int((time - track.origin) / track.interval))) }
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
