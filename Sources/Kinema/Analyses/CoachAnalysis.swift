public import KinemaMotion
public import KinemaCounting
import Foundation
import KinemaCore
public import KinemaDraw
package import KinemaMedia

/// Coaches a known or recognised exercise: depth, tempo, symmetry and faults of each repetition.
///
/// ```swift
/// var configuration = CoachAnalysis.Configuration()
/// configuration.exercise = ExerciseLibrary.exercise(named: "squat")
/// var analysis = CoachAnalysis(configuration)
/// for try await element in analysis.pipeline(try await VideoReader.read(contentsOf: url)) {
///     for case .coached(let one) in analysis.take(element.feature) { print(one.number, one.faults.map(\.code)) }
/// }
/// _ = analysis.finish()
/// print(analysis.result.count)
/// ```
public struct CoachAnalysis: Analysis, PoseOnlyAnalysis {
    /// The configuration of the coach.
    public struct Configuration: Sendable {
        /// The people to coach.
        public var scope = PersonScope.prominent
        /// The pipeline that detects people; 32-bit, because 16 bits lose shallow movements.
        public var pipeline = PosePipeline(options: BodyPoseOptions(precision: .counting))
        /// The exercise; nil to recognise one of `exercises`.
        public var exercise: Exercise?
        /// The exercises among which one is recognised; their names are unique.
        public var exercises = ExerciseLibrary.all
        /// The part of the movement to keep for charts.
        package var memory = SignalMemory.recent
        /// Whether to report and show the coach's measurements in each frame.
        public var debugs = false

        /// Coaches the most prominent person in the exercise that is recognised.
        public init() {}
    }

    /// The configuration.
    package let configuration: Configuration
    private var coach: PeopleCoach?
    /// The movement as each candidate exercise measures it, since the exercise may be recognised only later.
    private var signals: [String: SignalRecorder] = [:]
    private var newest: PosedFrame?
    private var frames = 0

    /// The display time of a repetition's faults, seconds.
    private static let cueDuration: TimeInterval = 4

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// The pipeline that detects people.
    public var pipeline: PosePipeline { configuration.pipeline }

    package var neededFrames: FrameSelection { .repetitions }

    /// Processes the next frame and returns the completed repetitions.
    public mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        newest = frame
        var coach = coach.take() ?? begin(frame.frame.aspectRatio)
        let completed = coach.append(frame.poses, at: frame.frame.time)
        record(coach, at: frame.frame.time)
        self.coach = coach
        defer { frames += 1 }
        let events = events(completed)
        guard configuration.debugs else { return events }
        return events + [.coachDebug(CoachDebugFrame(frame: frames, time: frame.frame.time, coach.people))]
    }

    /// Ends the stream and returns the repetitions that were almost complete.
    public mutating func finish() -> [AnalysisEvent] {
        events(coach?.finish() ?? [])
    }

    /// The result so far.
    public var result: CoachResult { CoachResult(coach?.people ?? []) }

    /// Skeletons with faulty joints in red, the movement of the last seconds, the count and the faults.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        let strip = SignalRecorder.strip(recorded.filter { $0.samples.last?.value != nil }, at: newest.frame.time)
        let marked = people.reduce(into: [:]) { $0[$1.id] = $1.coach.look.joints }
        let looks = configuration.debugs ? [OverlayLayer.joints(newest.poses, marked: marked)] : []
        return [.skeletons(newest.poses, faults: faults)] + looks + (strip.map { [.strip($0)] } ?? []) + [.hud(hud)]
    }

    /// The time of a quick repetition and a short rest, and at least the exercise's shortest repetition or hold.
    public var neededSeconds: Double {
        switch configuration.exercise?.kind {
        case .repetitions(let motion): max(1, motion.duration.lowerBound)
        case .hold(let minimum): max(1, minimum)
        case .shown: 1
        case nil: 1
        }
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
            lines += last.faults.map { $0.words ?? $0.code.title }
        }
        if configuration.debugs { lines.append(leader.look.debugMessage) }
        return HUD(count: coach?.count ?? 0, lines: lines)
    }

    private func begin(_ aspectRatio: Double) -> PeopleCoach {
        let one =
            configuration.exercise.map { ExerciseCoach($0, aspectRatio: aspectRatio) }
            ?? ExerciseCoach(recognising: configuration.exercises, aspectRatio: aspectRatio)
        return PeopleCoach(scope: configuration.scope, coach: one)
    }

    private mutating func record(_ coach: PeopleCoach, at time: TimeInterval) {
        for person in coach.people {
            let isSeen = person.coach.phase != ExerciseCoach.lost
            for exercise in person.coach.candidates {
                var recorder = signals.removeValue(forKey: exercise.name) ?? SignalRecorder(configuration.memory)
                recorder.add(
                    isSeen ? person.coach.progress(of: exercise) : nil, of: person.id, number: person.id,
                    repetitions: [], at: time)
                signals[exercise.name] = recorder
            }
        }
    }

    private func events(_ completed: [PersonEvent<CoachedRepetition>]) -> [AnalysisEvent] {
        completed.map { event in
            let exercise = coach?.people.first { $0.id == event.person }?.coach.exercise
            return .coached(CoachedResult(event.event, id: event.person, number: event.number, exercise))
        }
    }
}

extension CoachAnalysis {
    /// The coach of the most active person, whose count and phase are shown.
    package var leader: ExerciseCoach? { coach?.leader?.coach }
    package var leaderID: Int? { coach?.leader?.id }

    /// The position in the most active person's movement, or the amount of movement for an unknown exercise or a hold.
    /// Nil while the person is not in view.
    package var signal: Double? {
        guard let person = coach?.leader else { return nil }
        guard person.coach.exercise?.phases == nil else {
            return person.coach.phase == ExerciseCoach.lost ? nil : person.coach.progress
        }
        return person.coach.signal.map(Double.init)
    }

    package var people: [PeopleCoach.Person] { coach?.people ?? [] }

    package var faults: [Int: Set<JointKey>] {
        guard let coach, let newest else { return [:] }
        var faults = coach.faultyJoints(at: newest.frame.time)
        for person in coach.people {
            let now = person.coach.faultsNow.flatMap(\.joints)
            if !now.isEmpty { faults[person.id, default: []].formUnion(now) }
        }
        return faults
    }

    /// The faults of the most active person now, then those of the last repetition, each fault once.
    package var cues: [Fault] {
        guard let leader, let newest else { return [] }
        var cues = leader.faultsNow
        if let last = leader.repetitions.last, newest.frame.time - last.end <= Self.cueDuration { cues += last.faults }
        var known: Set<FaultCode> = []
        return cues.filter { known.insert($0.code).inserted || $0.words != nil }
    }

    /// Everyone's movement with its repetitions, as the recognised exercise measures it.
    package var recorded: [RepetitionSignal] {
        people.compactMap { person in
            guard let exercise = person.coach.exercise else { return nil }
            var signal = signals[exercise.name]?[person.id]
            signal?.repetitions = person.coach.repetitions.map { $0.start...max($0.start, $0.end) }
            return signal
        }
    }
}

/// The coach's measurements in one frame; a line of `kinema coach --debug --format jsonl`.
public struct CoachDebugFrame: Codable, Sendable, Hashable {
    package struct Person: Codable, Sendable, Hashable {
        package var id: Int
        @Nullable package var exercise: String?
        package var phase: String
        /// The measure that is followed, by `BodyMeasure`; null for a position that is held.
        @Nullable package var measure: String?
        /// The measure's value in `unit`; null where its joints are not seen.
        @Nullable package var value: Double?
        /// The unit of `value`; null if there is none.
        @Nullable package var unit: String?
        /// The confidence of the joints, 0...1; null where they are not seen.
        @Nullable package var confidence: Double?
        /// The progress of the movement: 0 at rest, 1 where a full repetition turns; null where it is not followed.
        @Nullable package var progress: Double?
        package var count: Int
        package var debugMessage: String
    }

    package var frame: Int
    package var time: Double
    package var people: [Person]

    init(frame: Int, time: TimeInterval, _ found: [PeopleCoach.Person]) {
        (self.frame, self.time) = (frame, time.rounded(to: 6))
        people = found.map { person in
            let (coach, look) = (person.coach, person.coach.look)
            return Person(
                id: person.id, exercise: coach.exercise?.name, phase: coach.phase, measure: look.measure?.name,
                value: look.value?.rounded(to: 3), unit: look.unit?.rawValue,
                confidence: look.confidence.map { Double($0).rounded(to: 3) }, progress: look.progress?.rounded(to: 3),
                count: coach.count, debugMessage: look.debugMessage)
        }
    }
}
