import Foundation
import KinemaStudio

extension KeptSession {
    /// A session with something in every field.
    static func everything(_ date: Date = Date(timeIntervalSince1970: 1_000_000.125)) -> KeptSession {
        var session = KeptSession(date: date, mode: .coach, source: "camera; \"front\"", duration: 31.5)
        session.exercise = "squat"
        session.count = 2
        session.people = 1
        let fault = Fault(
            code: "knees_in", title: "Knees fall in", joint: "leftKnee", phase: "down", measured: 12.5, expected: 5)
        session.repetitions = [
            Repetition(
                person: 1, start: 0.5, end: 1.75, confidence: 0.875, depth: 1.1,
                tempo: Tempo(out: 0.5, hold: 0.25, back: 0.5), faults: [fault, Fault(code: "bare", title: "Bare")]),
            Repetition(person: 1, start: 2, end: 3),
        ]
        session.throwsMade = [
            Throw(type: "underhand", speedMps: 8.94, angle: 31, landing: "hole", score: 3, start: 4, end: 5),
            Throw(type: "none", speedMps: nil, angle: nil, landing: "off", score: 0, start: 6, end: 7),
        ]
        session.pinches = [Pinch(hand: "left", start: 1, end: 2)]
        session.segments = [Segment(start: 0, end: 9, label: "jumping, \"high\"", confidence: 0.5)]
        session.drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
        return session
    }
}
