public import Foundation
public import KinemaCore

/// Counts the repetitions of everyone, or of the most prominent person, each person separately.
public struct PeopleCounter: Sendable {
    /// One person's repetitions.
    public struct Person: Sendable, Hashable {
        /// The person's number (`Pose.id`); for the prominent person, that of the last one chosen.
        public var id: Int
        /// The number under which the person came.
        package var key: Int
        /// The time of the cut with which the person came, in seconds; nil without one.
        public var cut: TimeInterval?
        /// The repetitions in order of time; after `finish()` those that the whole recording shows.
        public var repetitions: [Repetition]
        /// How likely each count is, after `finish()`.
        public var posterior: CountPosterior
        /// What is cut off and not counted, in words, after `finish()`.
        package var notes: [String]
    }

    /// A repetition, its person, and its number among that person's repetitions, from 1.
    package typealias Event = PersonEvent<Repetition>

    /// Who is counted.
    package var scope: PersonScope { counters.scope }
    private var counters: PerPerson<PersonCounter>

    /// Makes a counter for a picture of the given width divided by height.
    ///
    /// - Parameters:
    ///   - scope: Who is counted.
    ///   - aspectRatio: The picture's width divided by its height.
    ///   - expecting: Whether an exercise is expected, or anything, such as by a camera that watches.
    ///   - alternating: How the sides of alternating movements are counted; nil to decide by the movement.
    ///   - explains: Whether every hypothesis of every person is kept (`explanations`).
    public init(
        scope: PersonScope, aspectRatio: Double, expecting: CountExpectation = .anything,
        alternating: Alternation? = nil, explains: Bool = false
    ) {
        counters = PerPerson(scope: scope) {
            PersonCounter(
                counter: RepetitionCounter(
                    aspectRatio: aspectRatio, expecting: expecting, alternating: alternating, explains: explains),
                cutOff: CutOffRepetitions(aspectRatio: aspectRatio))
        }
    }

    /// Adds everyone in a frame at a time in seconds and returns the repetitions that became certain.
    @discardableResult
    public mutating func append(_ poses: [Pose], at time: TimeInterval) -> [PersonEvent<Repetition>] {
        counters.append(poses, at: time)
    }

    /// Ends the stream and returns the repetitions that were still open.
    @discardableResult
    public mutating func finish() -> [PersonEvent<Repetition>] { counters.finish() }

    /// Everyone counted so far, by number.
    public var people: [Person] {
        counters.people.map {
            Person(
                id: $0.person, key: $0.key, cut: $0.cut,
                repetitions: $0.step.repetitions.sorted { $0.start < $1.start },
                posterior: $0.step.counter.posterior, notes: $0.step.notes)
        }
    }

    /// All repetitions of everyone.
    public var count: Int { counters.people.reduce(0) { $0 + $1.step.counter.count } }

    /// One person's repetitions and every hypothesis about the movement.
    public struct Explanation: Sendable {
        /// The person's number.
        public var id: Int
        /// The repetitions that were reported, in order of time.
        public var repetitions: [FoundRepetition]
        /// The hypotheses.
        public var hypotheses: [CycleExplanation]
    }

    /// Why each person's repetitions were counted or not; `hypotheses` is empty unless asked for.
    public var explanations: [Explanation] {
        counters.people.map { person in
            let counter = person.step.counter
            return Explanation(
                id: person.person, repetitions: counter.found.sorted { $0.repetition.start < $1.repetition.start },
                hypotheses: counter.explanations)
        }
    }

    /// What each person's stretches were decided from, for `script/counting`.
    package var evidence: [[Float]] { counters.people.flatMap { $0.step.counter.evidence } }

    /// A person's position in the movement at the newest frame, see `RepetitionCounter.signal`; nil if not in view.
    package func signal(of id: Int) -> Float? { counters.step(of: id)?.counter.signal }
}

/// One person's counter and its repetitions.
private struct PersonCounter: PersonStep {
    var counter: RepetitionCounter
    var cutOff: CutOffRepetitions
    private(set) var notes: [String] = []
    var repetitions: [Repetition] { counter.repetitions }
    var isEmpty: Bool { counter.found.isEmpty }

    init(counter: RepetitionCounter, cutOff: CutOffRepetitions) { (self.counter, self.cutOff) = (counter, cutOff) }

    mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Repetition] {
        cutOff.append(pose, at: time)
        return counter.append(pose, at: time)
    }

    mutating func finish() -> [Repetition] {
        defer { notes = cutOff.notes(counter.repetitions.sorted { $0.start < $1.start }) }
        return counter.finish()
    }
}
