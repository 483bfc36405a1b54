import Foundation
import Kinema

extension CountReport: FormattedResults {
    var text: String {
        func one(_ value: Double) -> String { String(format: "%.1f", value) }
        let speed = seconds > 0 ? one(Double(frames) / seconds) : "-"
        var lines = [
            "\(PlainText.oneLine(source)): \(PlainText.counted(count, "repetition")) in \(one(duration)) s "
                + "(\(PlainText.counted(frames, "frame")), \(speed) frames/s)"
        ]
        if framesWithSomeone == 0 { lines.append("nobody found") }
        for person in people {
            lines.append("person \(person.id): \(person.repetitions.count)")
            for (number, repetition) in person.repetitions.map(\.repetition).enumerated() {
                lines.append(
                    "  \(number + 1).  \(one(repetition.start)) to \(one(repetition.end)) s, "
                        + "confidence \(Int((repetition.confidence * 100).rounded())) %")
            }
        }
        return lines.joined(separator: "\n")
    }

    var table: String {
        var bytes = Array("id,repetition,start,end,confidence\n".utf8)
        for person in people {
            for (number, repetition) in person.repetitions.map(\.repetition).enumerated() {
                var line = JSONText()
                line.integer(person.id)
                line.integer(number + 1)
                line.number(repetition.start, decimals: 4)
                line.number(repetition.end, decimals: 4)
                line.number(Double(repetition.confidence), decimals: 3)
                line.newline()
                bytes += line.bytes
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(to json: inout JSONText) {
        json.report(self)
    }
}

extension RepetitionEvent {
    /// The line that tells it.
    func write(to json: inout JSONText) {
        json.object { json in
            json.key("repetition")
            json.object { json in
                json.key("id")
                json.integer(id)
                json.key("number")
                json.integer(number)
                json.members(counted)
            }
        }
    }
}

extension JSONText {
    fileprivate mutating func members(_ counted: CountedRepetition) {
        key("start")
        number(counted.repetition.start, decimals: 4)
        key("end")
        number(counted.repetition.end, decimals: 4)
        key("confidence")
        number(Double(counted.repetition.confidence), decimals: 3)
        key("known")
        number(counted.known, decimals: 4)
        key("delay")
        number(counted.delay, decimals: 4)
    }

    fileprivate mutating func report(_ report: CountReport) {
        object { json in
            json.key("source")
            json.string(report.source)
            json.key("duration")
            json.number(report.duration, decimals: 6)
            json.frames(report.frames, live: report.live)
            json.key("count")
            json.integer(report.count)
            json.key("people")
            json.array { list in
                for person in report.people {
                    list.object { entry in
                        entry.key("id")
                        entry.integer(person.id)
                        entry.key("count")
                        entry.integer(person.repetitions.count)
                        entry.key("repetitions")
                        entry.array { items in
                            person.repetitions.forEach { counted in items.object { $0.members(counted) } }
                        }
                    }
                }
            }
        }
    }
}
