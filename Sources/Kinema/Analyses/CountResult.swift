import Foundation
import KinemaCore
import KinemaMotion

/// Everyone's repetitions; the JSON of `kinema count`.
public struct CountResult: AnalysisResult, Hashable {
    /// One person's repetitions.
    public struct Person: Codable, Sendable, Hashable {
        /// The person's number.
        public var id: Int
        /// The number of repetitions.
        public var count: Int
        /// How many were reported before the recording ended; the reading of the whole recording then decides.
        public var reported: Int
        /// The repetitions in time order.
        public var repetitions: [CountedRepetition]

        init(id: Int, repetitions: [CountedRepetition], reported: Int) {
            (self.id, count, self.repetitions, self.reported) = (id, repetitions.count, repetitions, reported)
            for index in repetitions.indices { self.repetitions[index].number = index + 1 }
        }
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
            lines.append("person \(person.id): \(person.count)")
            lines += person.repetitions.map {
                "  \($0.number).  \($0.start.text(1)) to \($0.end.text(1)) s, "
                    + "confidence \(Int(clamping: $0.confidence * 100)) %"
            }
        }
        return lines
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
