import KinemaCore
package import KinemaDraw
package import KinemaMotion

extension ExplanationChart {
    /// The maximum number of candidates shown per person, and of those accepted.
    private static let ways = 14, taken = 8

    package init(title: String, people: [PeopleCounter.Explanation], duration: Double) {
        self.init(title: title, people: people.map(Self.person), duration: duration)
    }

    /// The candidates of a person to show: the accepted ones in order of time, then the best others.
    private static func shown(_ ways: [CycleExplanation]) -> [CycleExplanation] {
        let visible = ways.filter { !$0.curve.isEmpty }
        let taken = visible.filter(\.isTaken).sorted { ($0.cycles.first?.from ?? 0) < ($1.cycles.first?.from ?? 0) }
            .prefix(Self.taken)
        let others = visible.filter { !$0.isTaken }.sorted { ($0.solution, $0.value) > ($1.solution, $1.value) }
        return Array(taken) + Array(others.prefix(Self.ways - taken.count))
    }

    private static func person(_ person: PeopleCounter.Explanation) -> Person {
        let shown = Self.shown(person.hypotheses)
        let repetitions = person.repetitions.map { found -> Repetition in
            let (start, end) = (found.repetition.start, found.repetition.end)
            return (start...max(start, end), found.origin == .whole)
        }
        return (person.id, repetitions, shown.map(way), person.hypotheses.count - shown.count)
    }

    private static func verdict(_ way: CycleExplanation) -> String {
        if way.isTaken { return "believed" }
        guard way.solution > 0 else { return "no cycles worth counting" }
        return "with it \(way.count) in all, \((100 * way.solution).text(way.solution < 0.01 ? 1 : 0)) % likely"
    }

    private static func way(_ way: CycleExplanation) -> Way {
        let (start, end) = (way.window.first ?? 0, way.window.last ?? 0)
        let what =
            "\(PlainText.counted(way.cycles.count, "cycle")), mean probability \(way.probability.text(2)), "
            + "worth \(way.value.text(1)) s"
        var words = [
            "\(way.family), component \(way.component + 1) of \(start.text(1)) to \(end.text(1)) s, "
                + "hysteresis \(way.hysteresis.text(2))"
        ]
        for (side, reasons) in [("for", way.isTaken ? way.speaksFor : []), ("against", way.speaksAgainst)] {
            let named = reasons.map { "\($0.name) \($0.weight > 0 ? "+" : "")\($0.weight.text(2))" }
            if !named.isEmpty { words.append("\(side): " + named.joined(separator: ", ")) }
        }
        return (
            "\(verdict(way))  |  \(what)", words.joined(separator: "  |  "), way.isTaken,
            way.curve.map { .init(time: $0.time, value: $0.value) },
            way.cycles.map { ($0.from...max($0.from, $0.to), $0.probability) }
        )
    }
}
