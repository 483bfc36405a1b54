import Foundation
import KinemaCore
import KinemaMotion

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
