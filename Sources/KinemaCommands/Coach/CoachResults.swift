import Foundation
import Kinema

extension CoachReport: FormattedResults {
    var text: String { CoachText.lines(self) }

    var table: String {
        let header = "id,exercise,repetition,start,end,depth,eccentric,pause,concentric,symmetry,side,faults\n"
        return repetitions.reduce(into: header) { text, event in
            let repetition = event.repetition
            func number(_ value: Double?) -> String { value.map { String(format: "%.4f", $0) } ?? "" }
            let cells = [
                "\(event.id)", event.exercise?.name ?? "", "\(event.number)", number(repetition.start),
                number(repetition.end), number(repetition.depth), number(repetition.tempo.eccentric),
                number(repetition.tempo.pause), number(repetition.tempo.concentric), number(repetition.symmetry),
                repetition.side?.rawValue ?? "", repetition.faults.map(\.code.rawValue).joined(separator: ";"),
            ]
            text += cells.joined(separator: ",") + "\n"
        }
    }

    func write(to json: inout JSONText) {
        json.report(self)
    }
}

extension CoachEvent {
    /// The line of JSON Lines that tells it.
    func write(to json: inout JSONText) {
        json.object { json in
            json.key("repetition")
            json.event(self)
        }
    }
}

extension JSONText {
    fileprivate mutating func report(_ report: CoachReport) {
        object { json in
            json.pair("source", report.source)
            json.pair("duration", report.duration, decimals: 6)
            json.frames(report.frames, live: report.live)
            json.exercise(report.exercise)
            json.key("count")
            json.integer(report.count)
            json.key("repetitions")
            json.array { list in report.repetitions.forEach { list.event($0) } }
            json.key("people")
            json.array { list in report.people.forEach { list.person($0) } }
        }
    }

    fileprivate mutating func person(_ person: CoachReport.Person) {
        object { json in
            json.key("id")
            json.integer(person.id)
            json.exercise(person.exercise)
            json.key("count")
            json.integer(person.repetitions.count)
            json.pair("held", person.holds.reduce(0) { $0 + $1.end - $1.start })
            json.key("repetitions")
            json.array { list in
                for (index, repetition) in person.repetitions.enumerated() {
                    list.event(CoachEvent(person, number: index + 1, repetition))
                }
            }
            json.key("holds")
            json.array { list in
                for hold in person.holds {
                    list.object { entry in
                        entry.pair("start", hold.start)
                        entry.pair("end", hold.end)
                        entry.faults(hold.faults)
                    }
                }
            }
        }
    }

    fileprivate mutating func event(_ event: CoachEvent) {
        let repetition = event.repetition
        object { json in
            json.key("id")
            json.integer(event.id)
            json.exercise(event.exercise)
            json.key("number")
            json.integer(event.number)
            json.pair("start", repetition.start)
            json.pair("end", repetition.end)
            json.pair("depth", repetition.depth)
            json.key("tempo")
            json.object { tempo in
                tempo.pair("eccentric", repetition.tempo.eccentric)
                tempo.pair("pause", repetition.tempo.pause)
                tempo.pair("concentric", repetition.tempo.concentric)
            }
            json.key("symmetry")
            if let symmetry = repetition.symmetry { json.number(symmetry, decimals: 3) } else { json.null() }
            json.key("side")
            if let side = repetition.side { json.string(side.rawValue) } else { json.null() }
            json.faults(repetition.faults)
        }
    }

    private mutating func faults(_ faults: [Fault]) {
        key("faults")
        array { list in
            for fault in faults {
                list.object { json in
                    json.pair("code", fault.code.rawValue)
                    json.key("joint")
                    if let joint = fault.joint { json.string(joint.rawValue) } else { json.null() }
                    json.pair("phase", fault.phase)
                    json.pair("measured", fault.measured, decimals: 3)
                    json.pair("expected", fault.expected, decimals: 3)
                    json.pair("tolerance", fault.tolerance, decimals: 3)
                    json.pair("unit", fault.unit.rawValue)
                }
            }
        }
    }

    private mutating func exercise(_ exercise: Exercise?) {
        key("exercise")
        if let exercise { string(exercise.name) } else { null() }
    }

    fileprivate mutating func pair(_ name: String, _ value: Double, decimals: Int = 4) {
        key(name)
        number(value, decimals: decimals)
    }

    fileprivate mutating func pair(_ name: String, _ value: String) {
        key(name)
        string(value)
    }
}
