public import KinemaMotion
public import KinemaCounting
import Foundation
import KinemaCore
public import KinemaDraw
package import KinemaMedia

/// Counts repetitions of any movement, of everyone or of the most prominent person.
public struct CountAnalysis: Analysis, PoseOnlyAnalysis {
    /// The configuration of the counter.
    public struct Configuration: Sendable {
        /// The people to count.
        public var scope = PersonScope.prominent
        /// The pipeline that detects people; 32-bit, because 16 bits lose shallow movements.
        public var pipeline = PosePipeline(options: BodyPoseOptions(precision: .counting))
        /// The joints to use; nil for all.
        public var joints: JointsSelector?
        /// The part of the movement to keep for charts.
        package var memory = SignalMemory.recent
        /// How to count the sides of alternating movements; nil to decide by the movement.
        public var alternating: Alternation?
        /// Whether an exercise is expected, as in a recording that is to be counted, or anything.
        public var expecting = CountExpectation.exercise
        /// Whether every hypothesis is kept (`explanations`).
        public var explains = false

        /// Counts the most prominent person with the defaults.
        public init() {}
    }

    /// The configuration.
    package let configuration: Configuration
    private var counter: PeopleCounter?
    private var signals: SignalRecorder
    private var repetitions: [Int: [CountedRepetition]] = [:]
    /// How many of each person were reported before the end; nil until then.
    private var reported: [Int: Int]?
    private var newest: PosedFrame?

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        signals = SignalRecorder(configuration.memory)
    }

    /// The pipeline that detects people.
    public var pipeline: PosePipeline { configuration.pipeline }

    package var neededFrames: FrameSelection { .repetitions }

    /// Processes the next frame and returns the repetitions that became certain.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        newest = frame
        let poses = configuration.joints.map { joints in frame.poses.map { joints.applied(to: $0) } } ?? frame.poses
        var counter =
            counter.take()
            ?? PeopleCounter(
                scope: configuration.scope, aspectRatio: frame.frame.aspectRatio,
                expecting: configuration.expecting, alternating: configuration.alternating,
                explains: configuration.explains)
        let ended = counter.append(poses, at: frame.frame.time)
        let events = report(ended, at: frame.frame.time)
        for person in counter.people {
            signals.add(
                counter.signal(of: person.id).map(Double.init), of: person.key, number: person.id,
                repetitions: person.repetitions.map { $0.start...max($0.start, $0.end) }, at: frame.frame.time)
        }
        self.counter = counter
        return events
    }

    /// Ends the stream and returns the repetitions that were missed; the result is then what the whole recording shows.
    public mutating func finish() -> [AnalysisEvent] {
        reported = repetitions.mapValues(\.count)
        let events = report(counter?.finish() ?? [], at: newest?.frame.time ?? 0)
        for person in counter?.people ?? [] {
            repetitions[person.key] = revised(person, at: newest?.frame.time ?? 0)
            signals.finish(person.key, repetitions: person.repetitions.map { $0.start...max($0.start, $0.end) })
        }
        return events
    }

    /// The counts so far.
    public var result: CountResult {
        CountResult(
            people: (counter?.people ?? []).map { person in
                let own = repetitions[person.key] ?? []
                return CountResult.Person(
                    id: person.id, afterCut: person.cut, repetitions: own,
                    reported: reported.map { $0[person.key] ?? 0 } ?? own.count,
                    likely: reported == nil || configuration.alternating != nil ? [] : person.posterior.likely,
                    notes: person.notes)
            })
    }

    /// Skeletons, the movement of the last seconds, and the count.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        let strip = signals.strip(at: newest.frame.time)
        return [.skeletons(newest.poses)] + (strip.map { [.strip($0)] } ?? [])
            + [.hud(HUD(count: count, lines: phase.map { ["phase: \($0.rawValue)"] } ?? []))]
    }

    /// The number of repetitions.
    package var count: Int { repetitions.values.reduce(0) { $0 + $1.count } }

    /// The time of a quick repetition and a short rest.
    public var neededSeconds: Double { 1 }

    /// The count in words.
    public var summary: String { PlainText.counted(count, "repetition") }

    /// The phase of the only person's repetition; nil if there are several people.
    package var phase: RepetitionSignal.Phase? { signals.only?.phase }
    /// The phase of a person's repetition; nil for a person never seen.
    package func phase(of person: Int) -> RepetitionSignal.Phase? { signals[numbered: person]?.phase }
    /// The position in a person's movement; nil while the person is not in view.
    package func signal(of person: Int) -> Double? { counter?.signal(of: person).map(Double.init) }
    /// Everyone's movement with its repetitions, for a chart.
    package var recorded: [RepetitionSignal] { signals.everyone }

    /// The reported repetitions of each person and, if the configuration asks for them, every hypothesis.
    public var explanations: [PeopleCounter.Explanation] { counter?.explanations ?? [] }
    /// What counts were decided from, for `script/counting`; none unless the configuration asks for explanations.
    package var evidence: [[Float]] { counter?.evidence ?? [] }

    /// A person's repetitions in the whole recording, each with the time at which it was first reported.
    private func revised(_ person: PeopleCounter.Person, at time: TimeInterval) -> [CountedRepetition] {
        let reported = repetitions[person.key] ?? []
        return person.repetitions.enumerated().map { index, one in
            func shared(_ other: CountedRepetition) -> Double { min(one.end, other.end) - max(one.start, other.start) }
            let same = reported.max { shared($0) < shared($1) }.flatMap { shared($0) > 0 ? $0 : nil }
            return CountedRepetition(one, id: person.id, number: index + 1, known: same?.known ?? time)
        }
    }

    private mutating func report(_ ended: [PeopleCounter.Event], at time: TimeInterval) -> [AnalysisEvent] {
        ended.map { event in
            let one = CountedRepetition(event.event, id: event.person, number: event.number, known: time)
            repetitions[event.key, default: []].append(one)
            // A late report may lie before earlier ones.
            repetitions[event.key]?.sort { $0.start < $1.start }
            return .repetition(one)
        }
    }
}

extension CountPosterior {
    /// Counts less likely than this are left out.
    private static let least = 0.02

    fileprivate var likely: [CountResult.LikelyCount] {
        probabilities.filter { $0.value >= Self.least }.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map {
            CountResult.LikelyCount(count: $0.key, probability: CycleExplanation.rounded($0.value))
        }
    }
}

/// A line of `kinema count --explain`: a reported repetition, or a hypothesis.
package struct CountExplanation: Encodable, Sendable {
    package var id: Int
    package var repetition: FoundRepetition?
    /// The cycles with their measurements and whether they were accepted.
    package var hypothesis: CycleExplanation?

    package static func lines(_ people: [PeopleCounter.Explanation]) throws -> String {
        let lines = people.flatMap { person in
            person.repetitions.map { CountExplanation(id: person.id, repetition: $0) }
                + person.hypotheses.map { CountExplanation(id: person.id, hypothesis: $0) }
        }
        return try ResultCoding.lines(lines)
    }
}

struct SignalRecorder: Sendable {
    private let memory: SignalMemory
    private var signals: [Int: RepetitionSignal] = [:]

    /// The length kept for the strip, seconds: its 8 and a little more.
    private static let recent = 9.0

    init(_ memory: SignalMemory) { self.memory = memory }

    /// Adds a person's newest value, nil while not in view, and all repetitions so far.
    mutating func add(
        _ value: Double?, of key: Int, number: Int, repetitions: [ClosedRange<TimeInterval>], at time: TimeInterval
    ) {
        var signal = signals.removeValue(forKey: key) ?? RepetitionSignal(id: number)
        signal.id = number
        signal.samples.append(.init(time: time, value: value))
        Self.take(repetitions, into: &signal)
        // Trimmed now and then, not with every frame.
        if memory == .recent, let first = signal.samples.first, time - first.time > 2 * Self.recent {
            signal = signal.last(Self.recent)
        }
        signals[key] = signal
    }

    /// Takes the repetitions that the whole recording shows in place of those reported before its end.
    mutating func finish(_ key: Int, repetitions: [ClosedRange<TimeInterval>]) {
        guard let signal = signals[key] else { return }
        signals[key]?.repetitions = Array(repetitions.dropFirst(signal.repetitionsBefore))
    }

    private static func take(_ repetitions: [ClosedRange<TimeInterval>], into signal: inout RepetitionSignal) {
        let known = signal.repetitionsBefore + signal.repetitions.count
        if repetitions.count > known { signal.repetitions += repetitions[known...] }
    }

    subscript(_ key: Int) -> RepetitionSignal? { signals[key] }
    /// The signal of the person who has a number now.
    subscript(numbered number: Int) -> RepetitionSignal? { signals.values.first { $0.id == number } }

    var only: RepetitionSignal? { signals.count == 1 ? signals.values.first : nil }

    /// Everyone with a repetition, or seen for at least a second, for the chart.
    var everyone: [RepetitionSignal] {
        signals.values.filter { signal in
            let times = signal.samples.filter { $0.value != nil }.map(\.time)
            guard let first = times.first, let last = times.last else { return !signal.repetitions.isEmpty }
            return !signal.repetitions.isEmpty || last - first >= 1
        }.sorted { $0.id < $1.id }
    }

    /// The strip of everyone in view, over the last seconds; a single person also while out of view.
    func strip(at time: TimeInterval) -> StripChart? {
        Self.strip(
            signals.values.filter { signals.count == 1 || $0.samples.last?.value != nil }.sorted { $0.id < $1.id },
            at: time)
    }

    static func strip(_ signals: [RepetitionSignal], at time: TimeInterval) -> StripChart? {
        let lanes = signals.prefix(StripChart.lanes).map { $0.last(recent) }
        return lanes.isEmpty ? nil : StripChart(signals: lanes, now: time)
    }
}

/// The part of a movement to keep for charts.
package enum SignalMemory: String, Sendable, Hashable, Codable {
    /// The last seconds, for the strip below the frame.
    case recent
    /// All of it, for a full chart.
    case everything
}
