import Foundation
import Kinema
import KinemaCore
import KinemaDraw
import KinemaMotion
import KinemaVision

/// Counts what people repeat.
struct CountMode: LiveMode {
    let pipeline: PosePipeline
    let wish = FramingJudge.Wish.wholeBody
    private var counter: PeopleCounter
    /// How many repetitions of each were told; of the prominent person under one number, whoever that is by now.
    private var told: [Int: Int] = [:]
    private var movement = RepetitionSignal(id: 0)

    /// How much of the movement is kept, seconds: the phase is read from the last moments.
    private static let memory = 2.0

    init(_ request: StartRequest, aspectRatio: Double, precision: ModelStore.Precision) {
        let people = request.people ?? .prominent
        pipeline = .live(people: people, precision: precision)
        counter = PeopleCounter(scope: people == .all ? .all : .prominent, aspectRatio: aspectRatio)
    }

    mutating func take(_ seen: PosedFrame) -> [LiveEvent] {
        let time = seen.frame.time
        let ended = counter.append(seen.poses, at: time)
        let leader = counter.people.max { ($0.repetitions.count, -$0.id) < ($1.repetitions.count, -$1.id) }
        let value = leader.flatMap { counter.signal(of: $0.id) }.map(Double.init)
        movement.samples.append(.init(time: time, value: value))
        // Cut now and then, not with every frame.
        if let first = movement.samples.first, time - first.time > 2 * Self.memory {
            movement = movement.last(Self.memory)
        }
        return ended.isEmpty ? [] : news()
    }

    mutating func finish() -> [LiveEvent] {
        counter.finish()
        return news()
    }

    func write(to json: inout JSONText) {
        json.key("count")
        json.object { json in
            json.pair("total", counter.count)
            json.key("people")
            json.array { list in
                for person in counter.people where !person.repetitions.isEmpty || counter.signal(of: person.id) != nil {
                    list.object { entry in
                        entry.pair("id", person.id)
                        entry.pair("count", person.repetitions.count)
                    }
                }
            }
            json.pair("phase", movement.phase?.rawValue)
            json.pair("signal", movement.samples.last?.value, decimals: 3)
        }
    }

    func summarise(_ session: inout KeptSession) {
        session.count = counter.count
        session.people = max(session.people, counter.people.count { !$0.repetitions.isEmpty })
        session.repetitions = counter.people.flatMap { person in
            person.repetitions.map { Self.kept($0, of: person.id) }
        }.sorted { $0.start < $1.start }
    }

    private mutating func news() -> [LiveEvent] {
        counter.people.flatMap { person -> [LiveEvent] in
            let key = counter.scope == .prominent ? 0 : person.id
            let known = told[key] ?? 0
            told[key] = person.repetitions.count
            return person.repetitions.enumerated().dropFirst(known).map { index, repetition in
                .repetition(Self.kept(repetition, of: person.id), number: index + 1)
            }
        }
    }

    private static func kept(_ repetition: Repetition, of person: Int) -> KeptSession.Repetition {
        KeptSession.Repetition(
            person: person, start: repetition.start, end: repetition.end, confidence: Double(repetition.confidence))
    }
}
