import Foundation

/// A chosen hypothesis, and the range of its cycles that forms the set.
struct ChosenSet: Sendable {
    /// The hypothesis's index among the finder's.
    let index: Int
    let cycles: Range<Int>
    /// What it is worth, seconds of certain movement.
    let value: Float
    /// The time by which an earlier set must end, and the time from which a later one may begin.
    fileprivate let start: TimeInterval, end: TimeInterval
}

/// Chooses the non-overlapping hypotheses that explain the most time.
struct SetSelection {
    private let finder: HypothesisFinder
    private let configuration: CountingConfiguration
    private let reported: ArraySlice<Repetition>

    /// Chooses among a finder's hypotheses; those that continue a set whose repetitions were reported are preferred.
    init(
        _ finder: HypothesisFinder, _ configuration: CountingConfiguration,
        continuing reported: ArraySlice<Repetition> = []
    ) {
        (self.finder, self.configuration, self.reported) = (finder, configuration, reported)
    }

    /// The consecutive cycles that are worth the most; nil if they are worth less than a hypothesis costs.
    func candidate(_ index: Int) -> ChosenSet? {
        let (hypothesis, interval) = (finder.hypotheses[index], finder.track.interval)
        let lengths = hypothesis.cycles.map { Float(Double($0.to - $0.from) * interval) }
        let length = median(lengths)
        var (best, sum, first): (Float, Float, Int) = (0, 0, 0)
        var cycles = 0..<0
        for (place, probability) in hypothesis.probabilities.enumerated() {
            if sum <= 0 { (sum, first) = (0, place) }
            sum += (probability - configuration.breakEvenProbability) * min(lengths[place], 2 * length)
            if sum > best { (best, cycles) = (sum, first..<place + 1) }
        }
        guard !cycles.isEmpty, best > configuration.cost * length else { return nil }
        return ChosenSet(
            index: index, cycles: cycles,
            value: best + (configuration.continuity * continued(by: hypothesis.cycles[cycles]) - configuration.cost)
                * length,
            start: finder.track.time(hypothesis.cycles[cycles.lowerBound].from),
            end: finder.track.time(hypothesis.cycles[cycles.upperBound - 1].to)
                - Double(configuration.overlap * length))
    }

    /// How many cycles were reported as repetitions; none if the hypothesis is half a cycle off.
    private func continued(by cycles: ArraySlice<Cycle>) -> Float {
        func wasReported(_ cycle: Cycle) -> Bool {
            let (start, end) = (finder.track.time(cycle.start), finder.track.time(cycle.end))
            let own = Repetition(start: start, end: end, confidence: 1)
            return reported.contains { $0.overlap(with: own) > configuration.sameOverlap }
        }
        guard !reported.isEmpty else { return 0 }
        return Float(cycles.count { $0.length > configuration.leastContinued && wasReported($0) })
    }

    /// The non-overlapping hypotheses with the highest total value, in order of time.
    var chosen: [ChosenSet] {
        let sets = finder.hypotheses.indices.compactMap(candidate).sorted { $0.end < $1.end }
        var worth: [Float] = [0]
        var before: [Int?] = [nil]
        for (index, set) in sets.enumerated() {
            let earlier = sets[..<index].partitioningIndex { $0.end > set.start }
            let isTaken = set.value + worth[earlier] > worth[index]
            worth.append(isTaken ? set.value + worth[earlier] : worth[index])
            before.append(isTaken ? earlier : nil)
        }
        var chosen: [ChosenSet] = []
        var index = sets.count
        while index > 0 {
            if let earlier = before[index] {
                chosen.append(sets[index - 1])
                index = earlier
            } else {
                index -= 1
            }
        }
        return chosen.reversed()
    }

    /// The cycles of a chosen set that are repetitions.
    func repetitions(of set: ChosenSet) -> [Repetition] {
        let hypothesis = finder.hypotheses[set.index]
        let values = finder.signals[hypothesis.signal].values
        return set.cycles.compactMap { place in
            let probability = hypothesis.probabilities[place]
            let cycle = hypothesis.cycles[place]
            guard probability > configuration.leastProbability,
                !cycle.isOpen(finder.track) || cycle.back >= configuration.leastLastReturn * cycle.out
            else { return nil }
            let (start, end) = cycle.times(values, finder.track)
            return Repetition(start: start, end: end, confidence: probability)
        }
    }
}
