package import KinemaCounting
import Foundation
import KinemaCore
package import KinemaDraw

/// Everyone's repetitions; the JSON of `kinema count`.
public struct CountResult: AnalysisResult, Hashable {
    /// One person's repetitions.
    public struct Person: Codable, Sendable, Hashable {
        /// The person's number.
        public var id: Int
        /// The time of the cut after which the person is counted, in seconds; absent for who was there before.
        public var afterCut: Double?
        /// The number of repetitions.
        public var count: Int
        /// How many were reported before the recording ended; the reading of the whole recording then decides.
        public var reported: Int
        /// The repetitions in time order.
        public var repetitions: [CountedRepetition]
        /// The likeliest counts, the likeliest first; empty before the end and where sides are paired.
        public var likely: [LikelyCount]
        /// Repetitions that are cut off and not counted, in words; absent without any.
        public var notes: [String]?

        init(
            id: Int, afterCut: Double? = nil, repetitions: [CountedRepetition], reported: Int,
            likely: [LikelyCount] = [], notes: [String] = []
        ) {
            (self.id, count, self.repetitions, self.reported) = (id, repetitions.count, repetitions, reported)
            (self.afterCut, self.notes) = (afterCut?.rounded(to: 4), notes.isEmpty ? nil : notes)
            self.likely = likely
            for index in repetitions.indices { self.repetitions[index].number = index + 1 }
        }
    }

    /// A count and how likely it is.
    public struct LikelyCount: Codable, Sendable, Hashable {
        /// The number of repetitions.
        public var count: Int
        /// The probability, 0...1: of counts said to be 90 % likely, nine in ten are right.
        public var probability: Double
    }

    /// The total number of repetitions.
    public var count: Int
    /// Everyone counted, by number.
    public var people: [Person]

    init(people: [Person] = []) {
        self.people = people
        count = people.reduce(0) { $0 + $1.count }
    }

    /// One row per repetition.
    public static var columns: [String] { ["id", "repetition", "start", "end", "confidence"] }

    /// Everyone's repetitions.
    public var rows: [[String]] {
        people.flatMap { person in
            person.repetitions.map {
                ["\(person.id)", "\($0.number)", "\($0.start)", "\($0.end)", "\($0.confidence)"]
            }
        }
    }

    /// The count, then everyone's repetitions.
    public func lines(_ run: AnalysisRun) -> [String] {
        var lines = ["\(run.name): \(PlainText.counted(count, "repetition")) in \(run.extent)"]
        if run.framesWithDetections == 0 { lines.append("no person found") }
        for person in people {
            let name = "person \(person.id)\(PlainText.afterCut(person.afterCut))"
            lines.append("\(name): \(person.count)" + person.certainty)
            lines += person.repetitions.map {
                "  \($0.number).  \($0.start.text(1)) to \($0.end.text(1)) s, "
                    + "confidence \(Int(clamping: $0.confidence * 100)) %"
            }
            lines += (person.notes ?? []).map { "  \($0)" }
        }
        return lines
    }
}

extension CountResult.Person {
    /// Counts less likely than this are not named in words.
    private static let named = 0.1

    /// How sure the count is, and what else is possible; nothing where that is not known.
    fileprivate var certainty: String {
        guard let own = likely.first(where: { $0.count == count }) else { return "" }
        let others = likely.filter { $0.count != count && $0.probability >= Self.named }.map { "\($0.count)" }
        let percent = Int(min(99, (100 * own.probability).rounded()))
        return ", \(percent) % sure" + (others.isEmpty ? "" : "; \(others.joined(separator: " or ")) possible")
    }
}

/// A repetition and when it became certain; the JSON of `kinema count`.
public struct CountedRepetition: Codable, Sendable, Hashable {
    /// The person's number.
    public var id: Int
    /// The repetition's number for that person, from 1: in an event in order of report, in a result by time.
    public var number: Int
    /// When the movement left the starting posture, seconds.
    public var start: Double
    /// When the movement returned to it, seconds.
    public var end: Double
    /// The probability that this was a repetition, 0...1.
    public var confidence: Double
    /// The time of the frame that made it certain, seconds.
    public var known: Double
    /// The time from its end to its report, seconds; below 0 if it was reported before it ended.
    public var delay: Double

    init(_ repetition: Repetition, id: Int, number: Int, known: TimeInterval) {
        (self.id, self.number) = (id, number)
        start = repetition.start.rounded(to: 4)
        end = repetition.end.rounded(to: 4)
        confidence = Double(repetition.confidence).rounded(to: 3)
        self.known = known.rounded(to: 4)
        delay = (known - repetition.end).rounded(to: 4)
    }
}

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

extension CountResult {
    /// The running count as SubRip subtitles: from the end of each repetition to that of the next, or to `end` seconds.
    /// With several people each count follows its person's number: "1: 4   2: 3".
    package func subtitles(until end: TimeInterval) -> String {
        let ends = Set(people.flatMap { $0.repetitions.map(\.end) }).sorted()
        let shown = ends.indices.map { index in
            let (from, to) = (ends[index], index + 1 < ends.count ? ends[index + 1] : max(end, ends[index] + 1))
            let counts = people.map { person in (person.id, person.repetitions.count { $0.end <= from }) }
            let text =
                counts.count == 1 ? "\(counts[0].1)" : counts.map { "\($0.0): \($0.1)" }.joined(separator: "   ")
            return "\(index + 1)\n\(Self.clock(from)) --> \(Self.clock(to))\n\(text)\n"
        }
        return shown.joined(separator: "\n")
    }

    /// Hours, minutes, seconds and milliseconds as SubRip writes them: 00:01:02,500.
    private static func clock(_ time: TimeInterval) -> String {
        let milliseconds = Int((max(0, time) * 1000).rounded())
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return String(format: "%02d:%02d:%02d,%03d", seconds / 3600, seconds / 60 % 60, seconds % 60, rest)
    }
}
