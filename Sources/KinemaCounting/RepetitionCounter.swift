public import KinemaMotion
public import Foundation
public import KinemaCore

/// Counts the repetitions of any movement that a person repeats, pose by pose.
///
/// A repetition leads from one posture to another and back. Repetitions are reported once they are likely, later ones of
/// a set about halfway through their return, with their expected end. `finish()` reads the whole recording again: it
/// returns what was missed, and `repetitions` then holds what the whole recording shows. Sides of an alternating movement are counted as `Alternation` says; the first side of a set is then
/// reported once it is clear whether it is half of a pair.
public struct RepetitionCounter: Sendable {
    /// The number of repetitions; it does not fall before `finish()`.
    public var count: Int { repetitions.count }
    /// The repetitions reported so far; after `finish()` those of the whole recording, in order of time.
    public private(set) var repetitions: [Repetition] = []

    private let aspectRatio: Float
    private var cut = CutDetector()
    private var detector: SetDetector
    /// Joins or divides the sides of alternating movements once they have ended.
    private var sides: SideCounter?, unended: [Repetition] = []
    /// The reported repetitions and when each was found.
    package private(set) var found: [FoundRepetition] = []
    /// The time of the last pose.
    private var lastSeen: TimeInterval?
    /// The number of cuts detected.
    package private(set) var cuts = 0

    /// The position in the movement at the newest pose, for a chart: about 0 at one end of a repetition, 1 at the other.
    ///
    /// It may leave 0...1 a little; 0 is the end at which the body was before the set. Until a set is known it is the
    /// distance from the last resting posture, body sizes. Nil while nobody is seen.
    package private(set) var signal: Float?

    /// Counts in pictures of the given width divided by height.
    ///
    /// - Parameters:
    ///   - aspectRatio: The width of the pictures divided by their height.
    ///   - expecting: Whether an exercise is expected, or anything, such as by a camera that watches.
    ///   - alternating: How the sides of alternating movements are counted; nil to decide by the movement.
    ///   - explains: Whether every hypothesis is kept (`explanations`).
    public init(
        aspectRatio: Double = 4.0 / 3, expecting: CountExpectation = .anything, alternating: Alternation? = nil,
        explains: Bool = false
    ) {
        self.aspectRatio = Float(aspectRatio)
        detector = SetDetector(expecting: expecting, explains: explains)
        sides = alternating.map(SideCounter.init)
    }

    /// Adds the pose of the next frame, nil when nobody is seen, and returns the repetitions that became certain.
    public mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Repetition] {
        guard let pose, let joints = BodyJoints(pose, aspectRatio: aspectRatio), let length = joints.torsoLength else {
            signal = nil
            return report(sides?.wait(until: time) ?? [], .live)
        }
        let isCut = cut.isCut(pose, joints, size: length, at: time)
        if isCut { cuts += 1 }
        let isBreak = isCut || lastSeen.map { time - $0 > CountingConfiguration().longestGap } ?? true
        sides?.append(joints, isBreak: isBreak, at: time)
        let new = detector.append(
            joints, isAfterCut: isCut, isStretched: JointExtent(pose).fillsPicture,
            camera: pose.cameraMotion, at: time)
        lastSeen = time
        signal = detector.curve.value
        guard sides != nil else { return report(new, .live) }
        unended += new
        let ended = unended.filter { $0.end <= time }
        unended.removeAll { $0.end <= time }
        return report((sides?.take(ended) ?? []) + (sides?.wait(until: time) ?? []), .live)
    }

    /// Ends the recording and returns the repetitions that are now certain.
    public mutating func finish() -> [Repetition] {
        let (new, all) = detector.finish()
        guard var sides else {
            let added = report(new, .whole)
            repetitions = all
            return added.sorted { $0.start < $1.start }
        }
        defer { (self.sides, unended) = (sides, []) }
        let told = sides.take(unended + new) + sides.finish()
        guard let whole = sides.recount(all) else {
            let added = report(told, .whole)
            repetitions.sort { $0.start < $1.start }
            return added.sorted { $0.start < $1.start }
        }
        let reported = repetitions
        let added = report(whole.filter { $0.share(in: reported) < CountingConfiguration().mostShared }, .whole)
        repetitions = whole
        return added
    }

    private mutating func report(_ new: [Repetition], _ origin: FoundRepetition.Origin) -> [Repetition] {
        found += new.map { FoundRepetition(repetition: $0, origin: origin) }
        repetitions += new
        return new
    }

    /// How likely each count is, after `finish()`.
    public var posterior: CountPosterior { detector.posterior }

    /// Every hypothesis with its evidence; none unless asked for.
    public var explanations: [CycleExplanation] {
        detector.readings.enumerated().flatMap { CycleExplanation.all($1, stretch: $0) }
    }

    /// What each whole stretch was decided from (`CountReading.numbers`); none unless explanations were asked for.
    package var evidence: [[Float]] { detector.readings.map(\.numbers) }

    /// The position in the repetition under way, 0 at its start and 1 at its end; 0 while no set is known.
    package var progress: Float { detector.phase?.progress ?? 0 }
}

extension RepetitionCounter {
    /// Whether a body could be counted from these joints alone.
    ///
    /// Tested on a body whose joints are all clearly visible.
    package static func canCount(joints: Set<JointKey>) -> Bool {
        let points = BodyJoints.keys.enumerated().map { index, key in
            // Any positions do, as long as no two coincide.
            JointPoint(
                key, location: CGPoint(x: 0.3 + 0.03 * Double(index), y: 0.2 + 0.05 * Double(index)),
                confidence: joints.contains(key) ? 1 : 0)
        }
        let pose = Pose(from: Dictionary(points.map { ($0.key, $0) }) { first, _ in first })
        return BodyJoints(pose, aspectRatio: 1)?.torsoLength != nil
    }
}

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
