import Foundation

/// One way to count a stretch of movement, its evidence, and whether it was taken: a line of `kinema count --explain`.
package struct CycleExplanation: Encodable, Sendable {
    /// One cycle of it.
    package struct Cycle: Encodable, Sendable {
        /// The turning points before and after it, and between them, seconds.
        package var from: Double, turn: Double, to: Double
        /// The probability that it is a repetition, 0...1.
        package var probability: Double
        /// Whether it was counted among those of a hypothesis that was taken.
        package var isTaken: Bool
        /// What that was concluded from, by name.
        package var evidence: [String: Double]
    }

    /// How the joints' places are measured: `placed` in the picture, or `centred` on the body.
    package var frame: String
    /// Which principal component of the window it follows, from 0, and the window, seconds.
    package var component: Int
    package var window: [Double]
    /// The way back that makes a turning point, as a share of the signal's range.
    package var hysteresis: Double
    /// What is known of the whole, by name.
    package var evidence: [String: Double]
    package var cycles: [Cycle]
    /// What it is worth, seconds; 0 where its evidence is too weak.
    package var value: Double
    /// Why it was taken or not.
    package var verdict: String

    /// Every hypothesis with its evidence, and what became of it.
    static func all(_ finder: HypothesisFinder, _ configuration: CountingConfiguration) -> [CycleExplanation] {
        let selection = SetSelection(finder, configuration)
        let chosen = selection.chosen
        return finder.hypotheses.indices.map { index in
            CycleExplanation(
                finder.hypotheses[index], of: finder, leastProbability: configuration.leastProbability,
                value: selection.candidate(index)?.value ?? 0, taken: chosen.first { $0.index == index }?.cycles)
        }
    }

    private init(
        _ hypothesis: CycleHypothesis, of finder: HypothesisFinder, leastProbability: Float, value: Float,
        taken: Range<Int>?
    ) {
        let signal = finder.signals[hypothesis.signal]
        let track = finder.track
        func named(_ names: [String], _ values: [Float]) -> [String: Double] {
            Dictionary(zip(names, values.map { Self.rounded(Double($0)) })) { first, _ in first }
        }
        (frame, component) = (signal.frame.rawValue, signal.component)
        window = [signal.window.lowerBound, signal.window.upperBound - 1].map { Self.rounded(track.time($0)) }
        hysteresis = Self.rounded(Double(hypothesis.hysteresis))
        evidence = named(CycleEvidence.whole, hypothesis.whole)
        cycles = hypothesis.cycles.indices.map { place in
            let cycle = hypothesis.cycles[place]
            return Cycle(
                from: Self.rounded(track.time(cycle.from)), turn: Self.rounded(track.time(cycle.turn)),
                to: Self.rounded(track.time(cycle.to)),
                probability: Self.rounded(Double(hypothesis.probabilities[place])),
                isTaken: (taken?.contains(place) ?? false) && hypothesis.probabilities[place] > leastProbability,
                evidence: named(CycleEvidence.each, hypothesis.each[place]))
        }
        self.value = Self.rounded(Double(value))
        verdict =
            taken != nil
            ? "taken: worth the most"
            : value > 0 ? "not taken: others explain the same time better" : "not taken: too unsure"
    }

    /// Four digits after the point are more than any of this is good for.
    private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
