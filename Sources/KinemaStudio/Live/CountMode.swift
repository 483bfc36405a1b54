import Foundation
import Kinema
import KinemaDraw

struct CountMode: LiveMode {
    var analysis: CountAnalysis
    let subject = FramingCheck.Subject.wholeBody

    init(_ request: StartRequest, precision: ModelStore.Precision) {
        var configuration = CountAnalysis.Configuration()
        configuration.pipeline = .live(people: request.people ?? .prominent, precision: precision)
        configuration.scope = request.scope
        // An upload is a recording whose count is asked for; a camera mostly sees nothing to count.
        configuration.expecting = if case .upload = request.source { .exercise } else { .anything }
        analysis = CountAnalysis(configuration)
    }

    func write(to json: inout JSONText) {
        json.object("count") { json in
            json.field("count", analysis.count)
            let people = analysis.result.people
            let shown = people.filter { $0.count > 0 || analysis.signal(of: $0.id) != nil }
            json.objects("people", shown) { entry, person in
                entry.field("id", person.id)
                entry.field("count", person.count)
            }
            let leader = people.max { ($0.count, $1.id) < ($1.count, $0.id) }
            json.field("phase", leader.flatMap { analysis.phase(of: $0.id)?.rawValue })
            json.field("signal", leader.flatMap { analysis.signal(of: $0.id) }, decimals: 3)
        }
    }

    func summarise(_ session: inout StoredSession) {
        let people = analysis.result.people
        session.count = analysis.count
        session.people = max(session.people, people.count { $0.count > 0 })
        session.repetitions = people.flatMap(\.repetitions).sorted { $0.start < $1.start }.map { .counted($0) }
    }
}
