import Foundation
package import KinemaCore

/// A user's addition to a session; it does not change the results.
package enum SessionAnnotation: Sendable, Equatable {
    /// The true repetitions; nil removes a correction.
    case corrections([CorrectedRepetition]?)
    case marks([SessionMark])
    case note(String)
    /// Nil or empty removes them.
    case details(SessionDetails?)

    /// Ten hours with a repetition every four seconds.
    package static let mostRepetitions = 10_000
    package static let mostMarks = 1_000
    package static let noteLength = 500
    /// Characters, also of a classifier's name.
    package static let labelLength = 60
    /// The latest end of a repetition or mark after the last frame, seconds: users stop by hand.
    private static let margin = 1.0
    private static let mostPeople = 1_000_000

    /// The stored form: sorted by time, with a trimmed note. Throws `.invalidArgument` if invalid for a duration in
    /// seconds.
    package func checked(duration: Double) throws(KinemaError) -> SessionAnnotation {
        switch self {
        case .corrections(nil): return self
        case .corrections(let repetitions?):
            guard repetitions.count <= Self.mostRepetitions else {
                throw KinemaError.invalid("a correction can have at most \(Self.mostRepetitions) repetitions")
            }
            for (index, one) in repetitions.enumerated() {
                try Self.check("repetition \(index + 1)", one.start, one.end, one.id, duration)
            }
            return .corrections(repetitions.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) })
        case .marks(let marks):
            guard marks.count <= Self.mostMarks else {
                throw KinemaError.invalid("a session can have at most \(Self.mostMarks) marks")
            }
            for (index, one) in marks.enumerated() {
                try Self.check("mark \(index + 1)", one.start, one.end, one.id ?? 0, duration)
                guard Self.isLabel(one.label) else {
                    throw KinemaError.invalid(
                        "mark \(index + 1) needs a label of 1 to \(Self.labelLength) printable characters")
                }
            }
            return .marks(marks.sorted { ($0.start, $0.end, $0.label) < ($1.start, $1.end, $1.label) })
        case .note(let text):
            let text = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
            // Eight bytes a character suffice for every script, but not for a thousand combining marks.
            guard text.count <= Self.noteLength, text.utf8.count <= 8 * Self.noteLength else {
                throw KinemaError.invalid("a note can have at most \(Self.noteLength) characters")
            }
            guard !text.unicodeScalars.contains(where: { $0 != "\n" && $0 != "\t" && PlainText.isHidden($0) }) else {
                throw KinemaError.invalid("a note cannot contain control characters")
            }
            return .note(text)
        case .details(let details):
            let details = try details?.checked()
            return .details(details?.isEmpty == true ? nil : details)
        }
    }

    /// Whether a text is a valid label or name: short, on one line, without hidden characters and surrounding blanks.
    package static func isLabel(_ text: String) -> Bool {
        (1...labelLength).contains(text.count) && text.utf8.count <= 4 * labelLength
            && !text.unicodeScalars.contains(where: PlainText.isHidden)
            && text == text.trimmingCharacters(in: .whitespaces)
    }

    private static func check(
        _ what: String, _ start: Double, _ end: Double, _ person: Int, _ duration: Double
    ) throws(KinemaError) {
        guard start.isFinite, end.isFinite, 0 <= start, start < end, end <= duration + margin else {
            throw KinemaError.invalid("\(what) needs times with 0 ≤ start < end ≤ \(duration + margin) seconds")
        }
        guard (0...mostPeople).contains(person) else { throw .invalid("\(what) has an invalid person number") }
    }
}

extension StoredSession {
    var annotations: [SessionAnnotation] { [.corrections(corrections), .marks(marks), .note(note), .details(details)] }

    mutating func set(_ annotation: SessionAnnotation) {
        switch annotation {
        case .corrections(let repetitions): corrections = repetitions
        case .marks(let marks): self.marks = marks
        case .note(let text): note = text
        case .details(let details): self.details = details
        }
    }
}
