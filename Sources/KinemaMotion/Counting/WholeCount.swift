import Foundation

/// Counts what was done by looking at a whole recording at once; so far a second opinion, which `kinema count --explain`
/// tells.
///
/// Every hypothesis (`HypothesisFinder`) gets a probability for each of its cycles (`CycleScore`). Those that explain the
/// most time are taken; two that are taken never overlap.
struct WholeCount: Sendable {
    private var seen: [(time: TimeInterval, row: JointRow)] = []

    /// As much is remembered, seconds.
    private static let memory: TimeInterval = 120
    /// A longer silence begins a new stretch, seconds.
    private static let longestGap: TimeInterval = 0.7
    /// A cycle speaks for its hypothesis by how much its probability is above this, second by second.
    private static let even: Float = 0.6
    /// A hypothesis must be worth more than this many of its median cycles, however sure.
    private static let cost: Float = 0.15
    /// Cycles of a hypothesis that is taken are told if they are likelier than this.
    private static let leastProbability: Float = 0.3
    /// Two hypotheses may share as much of a median cycle.
    private static let overlap = 0.15

    /// Takes the joints of the next pose.
    mutating func append(_ joints: BodyJoints, at time: TimeInterval) {
        seen.append((time, JointRow(joints.points)))
        // Now and then only, for what is first is costly to take away.
        if let first = seen.first, time - first.time > 1.5 * Self.memory {
            seen.removeFirst(seen.firstIndex { time - $0.time <= Self.memory } ?? 0)
        }
    }

    /// Every hypothesis with its evidence, and what became of it.
    var explanations: [CycleExplanation] {
        stretches.flatMap { stretch in
            let taken = Self.taken(stretch)
            return stretch.hypotheses.indices.map { index in
                CycleExplanation(
                    stretch.hypotheses[index], of: stretch, leastProbability: Self.leastProbability,
                    value: Self.item(stretch, index).map { $0.value } ?? 0,
                    taken: taken.first { $0.index == index }?.cycles)
            }
        }
    }

    private var stretches: [HypothesisFinder] {
        var stretches: [HypothesisFinder] = []
        var first = 0
        for index in seen.indices
        where index + 1 == seen.count || seen[index + 1].time - seen[index].time > Self.longestGap {
            if let track = MovementTrack(seen[first...index]) { stretches.append(HypothesisFinder(track)) }
            first = index + 1
        }
        return stretches
    }

    /// A hypothesis with the cycles that speak for it and what they are worth, seconds.
    private struct Item {
        let index: Int
        let hypothesis: CycleHypothesis
        let cycles: Range<Int>
        let value: Float
        /// When it may begin after another one, and when another one may begin after it.
        let start: TimeInterval, end: TimeInterval
    }

    /// The cycles in a row that are worth the most; nil where they are worth less than a hypothesis costs.
    private static func item(_ finder: HypothesisFinder, _ index: Int) -> Item? {
        let hypothesis = finder.hypotheses[index]
        let lengths = hypothesis.cycles.map { Float(Double($0.to - $0.from) * finder.track.interval) }
        let length = median(lengths)
        var (best, sum, first): (Float, Float, Int) = (0, 0, 0)
        var cycles = 0..<0
        for (place, probability) in hypothesis.probabilities.enumerated() {
            if sum <= 0 { (sum, first) = (0, place) }
            sum += (probability - even) * min(lengths[place], 2 * length)
            if sum > best { (best, cycles) = (sum, first..<place + 1) }
        }
        guard !cycles.isEmpty, best > cost * length else { return nil }
        return Item(
            index: index, hypothesis: hypothesis, cycles: cycles, value: best - cost * length,
            start: finder.track.time(hypothesis.cycles[cycles.lowerBound].from),
            end: finder.track.time(hypothesis.cycles[cycles.upperBound - 1].to) - overlap * Double(length))
    }

    /// The hypotheses without overlap that are worth the most together.
    private static func taken(_ finder: HypothesisFinder) -> [Item] {
        let items = finder.hypotheses.indices.compactMap { item(finder, $0) }.sorted { $0.end < $1.end }
        var worth: [Float] = [0]
        var before: [Int?] = [nil]
        for (index, item) in items.enumerated() {
            let earlier = items[..<index].lastIndex { $0.end <= item.start }.map { $0 + 1 } ?? 0
            let isTaken = item.value + worth[earlier] > worth[index]
            worth.append(isTaken ? item.value + worth[earlier] : worth[index])
            before.append(isTaken ? earlier : nil)
        }
        var taken: [Item] = []
        var index = items.count
        while index > 0 {
            if let earlier = before[index] {
                taken.append(items[index - 1])
                index = earlier
            } else {
                index -= 1
            }
        }
        return taken.reversed()
    }
}

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

    init(
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
