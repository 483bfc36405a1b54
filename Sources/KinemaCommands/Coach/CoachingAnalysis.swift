import Foundation
import Kinema
import KinemaDraw

/// Coaching as it goes on, and what is shown of it.
struct CoachingAnalysis: FilmAnalysis {
    private(set) var coach: PeopleCoach
    private let run: CoachingRun
    private let isDrawn: Bool
    private var time: TimeInterval = 0
    /// The movement as each exercise sees it, since it may be known only later which one it is.
    private var recorded: [Line: RepetitionSignal] = [:]

    private struct Line: Hashable {
        var person: Int
        var exercise: String
    }

    /// How much is kept for the strip, seconds: what it shows and a little more.
    private static let memory = 9.0

    init(_ run: CoachingRun, reading: Reading) {
        self.run = run
        let shape = Double(reading.width) / Double(max(1, reading.height))
        coach = PeopleCoach(scope: run.scope, coach: run.choice.coach(aspectRatio: shape))
        isDrawn = run.overlay != nil || run.plot != nil
    }

    mutating func take(_ element: TemporalFeature<PosedFrame>) throws {
        time = element.feature.frame.time
        // Not in one expression: what is told is read from the coach after this frame.
        let completed = coach.append(element.feature.poses, at: time)
        try tell(completed)
        guard isDrawn else { return }
        for person in coach.people {
            let isSeen = person.coach.phase != ExerciseCoach.lost
            for exercise in person.coach.candidates {
                let key = Line(person: person.id, exercise: exercise.name)
                var signal = recorded.removeValue(forKey: key) ?? RepetitionSignal(id: person.id)
                signal.samples.append(.init(time: time, value: isSeen ? person.coach.progress(of: exercise) : nil))
                // Cut now and then, not with every frame.
                if run.plot == nil, let first = signal.samples.first, time - first.time > 2 * Self.memory {
                    signal = signal.last(Self.memory)
                }
                recorded[key] = signal
            }
        }
    }

    mutating func finish() throws {
        let completed = coach.finish()
        try tell(completed)
    }

    private func tell(_ completed: [(person: Int, repetition: CoachedRepetition)]) throws {
        guard let onRepetition = run.onRepetition, !completed.isEmpty else { return }
        var report = CoachReport(source: run.input.source)
        report.take(coach.people)
        for (id, repetition) in completed {
            guard let person = report.people.first(where: { $0.id == id }),
                let index = person.repetitions.firstIndex(where: { $0.start == repetition.start })
            else { continue }
            try onRepetition(CoachEvent(person, number: index + 1, repetition))
        }
    }

    /// Everyone's movement with the repetitions found in it.
    var signals: [RepetitionSignal] {
        coach.people.compactMap { person in
            guard let exercise = person.coach.exercise else { return nil }
            var signal = recorded[Line(person: person.id, exercise: exercise.name)]
            signal?.repetitions = person.coach.repetitions.map { $0.start...max($0.start, $0.end) }
            return signal
        }
    }

    var strip: StripChart? {
        guard run.overlay != nil else { return nil }
        let lanes = signals.filter { $0.samples.last?.value != nil }.prefix(StripChart.lanes).map {
            $0.last(Self.memory)
        }
        return lanes.isEmpty ? nil : StripChart(signals: Array(lanes), now: time)
    }

    var hud: HUD {
        guard let leader = coach.leader?.coach else { return HUD(count: 0) }
        var lines = [leader.exercise?.title ?? "watching", leader.phase]
        if leader.heldSeconds > 0 { lines.append(String(format: "held %.1f s", leader.heldSeconds)) }
        if let last = leader.repetitions.last, !last.faults.isEmpty {
            lines.append(last.faults.map(\.code.title).joined(separator: ", "))
        }
        return HUD(count: coach.count, lines: lines)
    }

    var faults: [Int: Set<JointKey>] { coach.faultyJoints(at: time) }

    var note: String {
        "\(coach.leader?.coach.exercise?.title ?? "watching"): \(PlainText.counted(coach.count, "repetition"))"
    }
}
