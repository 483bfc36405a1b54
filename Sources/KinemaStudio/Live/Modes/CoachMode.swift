import Foundation
import Kinema
import KinemaCore
import KinemaMotion
import KinemaVision

/// Coaches an exercise, or the one it recognises.
struct CoachMode: LiveMode {
    let pipeline: PosePipeline
    let wish = FramingJudge.Wish.wholeBody
    private var coach: PeopleCoach
    /// Follows whatever moves, for the strip, while no exercise tells what to look at.
    private var movement: PeopleCounter
    private var time: TimeInterval = 0

    /// How long the faults of a repetition stay cues, seconds: time to look up and read them.
    private static let showing: TimeInterval = 4

    init(
        _ request: StartRequest, coach: ExerciseCoach, aspectRatio: Double, precision: ModelStore.Precision
    ) {
        let people = request.people ?? .prominent
        pipeline = .live(people: people, precision: precision)
        let scope: PeopleCounter.Scope = people == .all ? .all : .prominent
        self.coach = PeopleCoach(scope: scope, coach: coach)
        movement = PeopleCounter(scope: scope, aspectRatio: aspectRatio)
    }

    var faults: [Int: Set<JointKey>] {
        var faults = coach.faultyJoints(at: time)
        for person in coach.people {
            let now = person.coach.faultsNow.flatMap(\.joints)
            if !now.isEmpty { faults[person.id, default: []].formUnion(now) }
        }
        return faults
    }

    mutating func take(_ seen: PosedFrame) -> [LiveEvent] {
        time = seen.frame.time
        // Not in one expression: what is told is read from the coach after this frame.
        let completed = coach.append(seen.poses, at: time)
        if coach.leader?.coach.exercise?.motion == nil { movement.append(seen.poses, at: time) }
        return news(completed)
    }

    mutating func finish() -> [LiveEvent] {
        let completed = coach.finish()
        return news(completed)
    }

    func write(to json: inout JSONText) {
        let person = coach.leader
        let leader = person?.coach
        json.key("coach")
        json.object { json in
            json.pair("exercise", leader?.exercise?.name)
            json.pair("title", leader?.exercise?.title)
            json.pair("count", leader?.count ?? 0)
            json.pair("phase", leader?.phase ?? "watching")
            json.pair("held", leader?.heldSeconds ?? 0, decimals: 1)
            json.pair("cues", encoded: cues(leader))
            json.pair("signal", person.flatMap(signal), decimals: 3)
        }
    }

    func summarise(_ session: inout KeptSession) {
        let people = coach.people.filter { !$0.coach.repetitions.isEmpty || !$0.coach.holds.isEmpty }
        session.exercise = coach.leader?.coach.exercise?.name
        session.people = max(session.people, people.count)
        session.repetitions = people.flatMap { person in
            person.coach.repetitions.map { KeptSession.Repetition($0, of: person.id, person.coach.exercise) }
                + person.coach.holds.map { KeptSession.Repetition($0, of: person.id) }
        }.sorted { $0.start < $1.start }
        session.count = session.repetitions.count
    }

    /// Where the exercise's movement is; before one is known, and of one that is a position, how far anything has moved.
    private func signal(of person: PeopleCoach.Person) -> Double? {
        guard person.coach.exercise?.motion == nil else {
            return person.coach.phase == ExerciseCoach.lost ? nil : person.coach.progress
        }
        return movement.signal(of: person.id).map(Double.init)
    }

    /// What is wrong now, then what was wrong with the last repetition, each fault once.
    private func cues(_ coach: ExerciseCoach?) -> [KeptSession.Fault] {
        guard let coach else { return [] }
        var cues = coach.faultsNow
        if let last = coach.repetitions.last, time - last.end <= Self.showing { cues += last.faults }
        var known: Set<FaultCode> = []
        return cues.filter { known.insert($0.code).inserted }.map(KeptSession.Fault.init)
    }

    private func news(_ completed: [(person: Int, repetition: CoachedRepetition)]) -> [LiveEvent] {
        guard !completed.isEmpty else { return [] }
        let people = coach.people
        return completed.compactMap { id, repetition in
            guard let person = people.first(where: { $0.id == id }),
                let index = person.coach.repetitions.firstIndex(where: { $0.start == repetition.start })
            else { return nil }
            return .repetition(
                KeptSession.Repetition(repetition, of: id, person.coach.exercise), number: index + 1)
        }
    }
}

extension KeptSession.Fault {
    fileprivate init(_ fault: Fault) {
        self.init(
            code: fault.code.rawValue, title: fault.code.title, joint: fault.joint?.rawValue, phase: fault.phase,
            measured: fault.measured.isFinite ? fault.measured : nil, expected: fault.expected)
    }
}

extension KeptSession.Repetition {
    fileprivate init(_ repetition: CoachedRepetition, of person: Int, _ exercise: Exercise?) {
        let (tempo, lowersFirst) = (repetition.tempo, exercise?.motion?.phases.beginsEccentric ?? true)
        self.init(
            person: person, start: repetition.start, end: repetition.end, depth: repetition.depth,
            tempo: KeptSession.Tempo(
                out: lowersFirst ? tempo.eccentric : tempo.concentric, hold: tempo.pause,
                back: lowersFirst ? tempo.concentric : tempo.eccentric),
            faults: repetition.faults.map(KeptSession.Fault.init))
    }

    /// A position held counts as one repetition as long as it was held.
    fileprivate init(_ hold: HeldPosition, of person: Int) {
        self.init(person: person, start: hold.start, end: hold.end, faults: hold.faults.map(KeptSession.Fault.init))
    }
}
