import Foundation
import Kinema
import KinemaDraw

struct CoachMode: LiveMode {
    var analysis: CoachAnalysis
    let subject = FramingCheck.Subject.wholeBody

    init(_ request: StartRequest, exercise: Exercise?, among exercises: [Exercise], precision: ModelStore.Precision) {
        var configuration = CoachAnalysis.Configuration()
        configuration.exercises = exercises
        configuration.pipeline = .live(people: request.people ?? .prominent, precision: precision)
        configuration.scope = request.scope
        configuration.exercise = exercise
        analysis = CoachAnalysis(configuration)
    }

    var faults: [Int: Set<JointKey>] { analysis.faults }

    func write(to json: inout JSONText) {
        let leader = analysis.leader
        json.object("coach") { json in
            json.field("exercise", leader?.exercise?.name)
            json.field("title", leader?.exercise?.title)
            json.field("count", leader?.count ?? 0)
            json.field("phase", leader?.phase ?? "watching")
            json.field("held", leader?.heldSeconds ?? 0, decimals: 1)
            json.field("cues", encoded: analysis.cues.map(FaultResult.init))
            json.field("signal", analysis.signal, decimals: 3)
            json.field("id", analysis.leaderID)
            if let leader { json.movement(of: leader) }
            json.objects("people", analysis.people) { entry, person in
                entry.field("id", person.id)
                entry.field("count", person.coach.count)
                entry.field("exercise", person.coach.exercise?.name)
                entry.field("title", person.coach.exercise?.title)
            }
        }
    }

    func summarise(_ session: inout StoredSession) {
        let result = analysis.result
        let people = result.people.filter { !$0.repetitions.isEmpty || !$0.holds.isEmpty }
        session.exercise = analysis.leader?.exercise?.name
        session.people = max(session.people, people.count)
        session.repetitions = result.repetitions.map { .coached($0) }
        session.holds = people.flatMap { person in
            person.holds.map { .init(id: person.id, start: $0.start, end: $0.end, faults: $0.faults) }
        }
        // A position held counts as one repetition.
        session.count = session.repetitions.count + session.holds.count
    }
}
