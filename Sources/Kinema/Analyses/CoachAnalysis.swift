import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaMotion

/// Coaches an exercise, or the one it recognises: depth, tempo, symmetry and faults of each repetition.
public struct CoachAnalysis: Analysis {
    /// How people are coached.
    public struct Configuration: Sendable {
        /// Who is coached.
        public var scope = PersonScope.prominent
        /// How people are found; 32 bit arithmetic, since 16 bits lose shallow movements.
        public var pipeline = PosePipeline(options: BodyPoseOptions(precision: .counting))
        /// The exercise; nil to recognise one of `ExerciseLibrary.all`.
        public var exercise: Exercise?
        /// How much of the movement is kept for charts.
        public var memory = SignalMemory.recent

        /// Coaches the most prominent person through whatever exercise is recognised.
        public init() {}
    }

    /// How it coaches.
    public let configuration: Configuration
    private var coach: PeopleCoach?
    /// The movement as each exercise sees it, since it may be known only later which one it is.
    private var signals: [String: SignalRecorder] = [:]
    private var newest: PosedFrame?
    /// Follows whatever moves while no exercise says what to look at.
    private var movement: PeopleCounter?

    /// How long the faults of a repetition stay cues, seconds: time to look up and read them.
    private static let showing: TimeInterval = 4

    /// Makes an analysis that has seen nothing yet.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// How people are found.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Takes the next frame and returns the repetitions completed.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        newest = frame
        var coach = coach.take() ?? begin(frame.frame.aspectRatio)
        let completed = coach.append(frame.poses, at: frame.frame.time)
        if coach.leader?.coach.exercise?.motion == nil {
            var counter =
                movement.take() ?? PeopleCounter(scope: configuration.scope, aspectRatio: frame.frame.aspectRatio)
            counter.append(frame.poses, at: frame.frame.time)
            movement = counter
        }
        record(coach, at: frame.frame.time)
        self.coach = coach
        return tell(completed)
    }

    /// Ends the stream and returns the repetitions that were all but complete.
    public mutating func finish() -> [AnalysisEvent] { tell(coach?.finish() ?? []) }

    /// What was coached so far.
    public var result: CoachResult { CoachResult(coach?.people ?? []) }

    /// Skeletons with the joints at fault in red, the movement of the last seconds, the count and what is wrong.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        let strip = SignalRecorder.strip(recorded.filter { $0.samples.last?.value != nil }, at: newest.frame.time)
        return [.skeletons(newest.poses, faults: faults)] + (strip.map { [.strip($0)] } ?? []) + [.hud(hud)]
    }

    /// The exercise and the count in words.
    public var summary: String {
        "\(leader?.exercise?.title ?? "watching"): \(PlainText.counted(coach?.count ?? 0, "repetition"))"
    }

    private var hud: HUD {
        guard let leader else { return HUD(count: 0) }
        var lines = [leader.exercise?.title ?? "watching", leader.phase]
        if leader.heldSeconds > 0 { lines.append("held \(leader.heldSeconds.text(1)) s") }
        if let last = leader.repetitions.last, !last.faults.isEmpty {
            lines.append(last.faults.map(\.code.title).joined(separator: ", "))
        }
        return HUD(count: coach?.count ?? 0, lines: lines)
    }

    private func begin(_ aspectRatio: Double) -> PeopleCoach {
        let one =
            configuration.exercise.map { ExerciseCoach($0, aspectRatio: aspectRatio) }
            ?? ExerciseCoach(aspectRatio: aspectRatio)
        return PeopleCoach(scope: configuration.scope, coach: one)
    }

    private mutating func record(_ coach: PeopleCoach, at time: TimeInterval) {
        for person in coach.people {
            let isSeen = person.coach.phase != ExerciseCoach.lost
            for exercise in person.coach.candidates {
                var recorder =
                    signals.removeValue(forKey: exercise.name) ?? SignalRecorder(configuration.memory)
                recorder.add(
                    isSeen ? person.coach.progress(of: exercise) : nil, of: person.id, number: person.id,
                    repetitions: [], at: time)
                signals[exercise.name] = recorder
            }
        }
    }

    private func tell(_ completed: [PersonEvent<CoachedRepetition>]) -> [AnalysisEvent] {
        completed.map { event in
            let exercise = coach?.people.first { $0.id == event.person }?.coach.exercise
            return .coached(CoachedResult(event.event, id: event.person, number: event.number, exercise))
        }
    }
}

extension CoachAnalysis {
    /// The coach of whoever did most: the one whose count and phase are shown.
    package var leader: ExerciseCoach? { coach?.leader?.coach }

    /// Where the movement of whoever did most is; before an exercise is known, and for one that is a position, how far
    /// anything has moved. Nil while the person is not in view.
    package var signal: Double? {
        guard let person = coach?.leader else { return nil }
        guard person.coach.exercise?.motion == nil else {
            return person.coach.phase == ExerciseCoach.lost ? nil : person.coach.progress
        }
        return movement?.signal(of: person.id).map(Double.init)
    }

    /// Everyone coached so far, by number.
    package var people: [PeopleCoach.Person] { coach?.people ?? [] }

    /// The joints to show red now, by the person's number.
    package var faults: [Int: Set<JointKey>] {
        guard let coach, let newest else { return [:] }
        var faults = coach.faultyJoints(at: newest.frame.time)
        for person in coach.people {
            let now = person.coach.faultsNow.flatMap(\.joints)
            if !now.isEmpty { faults[person.id, default: []].formUnion(now) }
        }
        return faults
    }

    /// What is wrong now with whoever did most, then what was wrong with the last repetition, each fault once.
    package var cues: [Fault] {
        guard let leader, let newest else { return [] }
        var cues = leader.faultsNow
        if let last = leader.repetitions.last, newest.frame.time - last.end <= Self.showing { cues += last.faults }
        var known: Set<FaultCode> = []
        return cues.filter { known.insert($0.code).inserted }
    }

    /// Everyone's movement with the repetitions in it, as the recognised exercise sees it.
    package var recorded: [RepetitionSignal] {
        people.compactMap { person in
            guard let exercise = person.coach.exercise else { return nil }
            var signal = signals[exercise.name]?[person.id]
            signal?.repetitions = person.coach.repetitions.map { $0.start...max($0.start, $0.end) }
            return signal
        }
    }
}

/// A fault in a repetition or a hold; the JSON of `kinema coach`.
public struct FaultResult: Codable, Sendable, Hashable {
    /// What is wrong, by `FaultCode`.
    public var code: String
    /// The joint where it is worst; null where no joint is, as of a tempo.
    @Nullable public var joint: String?
    /// The phase in which it showed, by the exercise's own name.
    public var phase: String
    /// What was measured, what is expected, and how far from it is still right; in `unit`.
    public var measured: Double, expected: Double, tolerance: Double
    /// What the three numbers are in.
    public var unit: String

    package init(_ fault: Fault) {
        (code, phase, unit) = (fault.code.rawValue, fault.phase, fault.unit.rawValue)
        joint = fault.joint?.rawValue
        measured = fault.measured.rounded(to: 3)
        expected = fault.expected.rounded(to: 3)
        tolerance = fault.tolerance.rounded(to: 3)
    }
}

/// One repetition as a coach sees it; the JSON of `kinema coach`.
public struct CoachedResult: Codable, Sendable, Hashable {
    /// Seconds in each part of a repetition.
    public struct Tempo: Codable, Sendable, Hashable {
        /// In which the muscles give way, at the far end, and in which they lift.
        public var eccentric: Double, pause: Double, concentric: Double
    }

    /// Whose it is.
    public var id: Int
    /// The exercise, by name.
    @Nullable public var exercise: String?
    /// Which of that person's it is, from 1.
    public var number: Int
    /// When it began and ended, seconds.
    public var start: Double, end: Double
    /// The share of a full repetition's range.
    public var depth: Double
    /// How long each part took.
    public var tempo: Tempo
    /// The smaller side's range as a share of the larger, 0...1; null where a side is not seen.
    @Nullable public var symmetry: Double?
    /// The side that moved, where one side did.
    @Nullable public var side: String?
    /// What was wrong.
    public var faults: [FaultResult]

    init(_ one: CoachedRepetition, id: Int, number: Int, _ exercise: Exercise?) {
        (self.id, self.number) = (id, number)
        self.exercise = exercise?.name
        start = one.start.rounded(to: 4)
        end = one.end.rounded(to: 4)
        depth = one.depth.rounded(to: 4)
        tempo = Tempo(
            eccentric: one.tempo.eccentric.rounded(to: 4), pause: one.tempo.pause.rounded(to: 4),
            concentric: one.tempo.concentric.rounded(to: 4))
        symmetry = one.symmetry?.rounded(to: 3)
        side = one.side?.rawValue
        faults = one.faults.map(FaultResult.init)
    }
}

/// What coaching found; the JSON of `kinema coach`.
public struct CoachResult: AnalysisResult, Hashable {
    /// A position held.
    public struct Hold: Codable, Sendable, Hashable {
        /// When it was taken and given up, seconds.
        public var start: Double, end: Double
        /// What was wrong with it.
        public var faults: [FaultResult]
    }

    /// Someone, the exercise, and what came of it.
    public struct Person: Codable, Sendable, Hashable {
        /// The person's number.
        public var id: Int
        /// The exercise, by name.
        @Nullable public var exercise: String?
        /// How many repetitions there are.
        public var count: Int
        /// How long positions were held altogether, seconds.
        public var held: Double
        /// The repetitions in order of time.
        public var repetitions: [CoachedResult]
        /// The positions held.
        public var holds: [Hold]
    }

    /// The exercise of whoever did most of one, by name.
    @Nullable public var exercise: String?
    /// All repetitions of everyone.
    public var count: Int
    /// Everyone's repetitions in order of time.
    public var repetitions: [CoachedResult]
    /// Everyone coached, by number.
    public var people: [Person]

    init(_ found: [PeopleCoach.Person]) {
        people = found.map { person in
            let coach = person.coach
            return Person(
                id: person.id, exercise: coach.exercise?.name, count: coach.count,
                held: coach.holds.reduce(0) { $0 + $1.end - $1.start }.rounded(to: 4),
                repetitions: coach.repetitions.enumerated().map {
                    CoachedResult($1, id: person.id, number: $0 + 1, coach.exercise)
                },
                holds: coach.holds.map {
                    Hold(
                        start: $0.start.rounded(to: 4), end: $0.end.rounded(to: 4),
                        faults: $0.faults.map(FaultResult.init))
                })
        }
        exercise = people.filter { $0.exercise != nil }.max { $0.count < $1.count }?.exercise
        repetitions = people.flatMap(\.repetitions).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        count = repetitions.count
    }

    /// One row a repetition.
    public static var columns: [String] {
        [
            "id", "exercise", "repetition", "start", "end", "depth", "eccentric", "pause", "concentric", "symmetry",
            "side", "faults",
        ]
    }

    /// Everyone's repetitions in order of time.
    public var rows: [[String]] {
        repetitions.map { one in
            let numbers = [one.start, one.end, one.depth, one.tempo.eccentric, one.tempo.pause, one.tempo.concentric]
            return ["\(one.id)", one.exercise ?? "", "\(one.number)"] + numbers.map { $0.text(4) }
                + [one.symmetry?.text(4) ?? "", one.side ?? "", one.faults.map(\.code).joined(separator: ";")]
        }
    }

    /// The exercise and the count, then each repetition with its faults.
    public func lines(_ run: AnalysisRun) -> [String] {
        func title(_ name: String?) -> String { name.flatMap(ExerciseLibrary.exercise(named:))?.title ?? name ?? "-" }
        let name = exercise.map(title) ?? "no exercise recognised"
        var lines = ["\(run.name): \(name), \(PlainText.counted(count, "repetition")) in \(run.extent)"]
        if run.framesWithSomeone == 0 { lines.append("nobody found") }
        for person in people where person.exercise != nil {
            lines.append("person \(person.id): \(title(person.exercise)), \(person.count)")
            for one in person.repetitions {
                lines.append("  \(one.number).  \(one.line)")
                lines += one.faults.map { "      " + $0.line }
            }
            for hold in person.holds {
                lines.append(
                    "  held \((hold.end - hold.start).text(1)) s, \(hold.start.text(1)) to \(hold.end.text(1)) s")
                lines += hold.faults.map { "      " + $0.line }
            }
        }
        return lines
    }
}

extension CoachedResult {
    /// The repetition in a line for people.
    var line: String {
        func percent(_ share: Double) -> String { "\(Int(clamping: share * 100)) %" }
        return "\(start.text(1)) to \(end.text(1)) s, depth \(percent(depth)), eccentric \(tempo.eccentric.text(1)) "
            + "pause \(tempo.pause.text(1)) concentric \(tempo.concentric.text(1)) s"
            + (symmetry.map { ", symmetry \(percent($0))" } ?? "") + (side.map { ", \($0) side" } ?? "")
    }
}

extension FaultResult {
    /// The fault in a line for people.
    var line: String {
        func number(_ value: Double) -> String { value.text(abs(value) < 10 ? 2 : 0) }
        let title = FaultCode(rawValue: code)?.title ?? code
        let bound =
            measured < expected ? "at least \(number(expected - tolerance))" : "at most \(number(expected + tolerance))"
        return "\(title): \(joint.map { $0 + " " } ?? "")\(number(measured)) \(unit), expected \(bound) (\(phase))"
    }
}
