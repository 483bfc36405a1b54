import Foundation
package import KinemaCore

/// A repetition as the person who looked at the session says it was.
package struct CorrectedRepetition: Sendable, Equatable, Codable {
    /// The person's number.
    package var id: Int
    /// Seconds from the session's first frame.
    package var start: Double, end: Double

    package init(id: Int, start: Double, end: Double) {
        (self.id, self.start, self.end) = (id, start, end)
    }
}

/// A part of a session that shows one action, to learn from.
package struct SessionMark: Sendable, Equatable, Codable {
    /// Seconds from the session's first frame.
    package var start: Double, end: Double
    /// What it shows.
    package var label: String
    /// The number of the person it is about; nil for the most prominent one.
    package var id: Int?

    package init(start: Double, end: Double, label: String, id: Int? = nil) {
        (self.start, self.end, self.label, self.id) = (start, end, label, id)
    }
}

/// The set of a plan that a session was.
package struct SessionPlan: Sendable, Equatable, Codable {
    /// The plan's UUID as the client wrote it.
    package var plan: String
    /// Which set it was, of how many.
    package var set: Int, sets: Int
    /// How many repetitions were planned.
    package var target: Int?

    package init(plan: String, set: Int, sets: Int, target: Int? = nil) {
        (self.plan, self.set, self.sets, self.target) = (plan, set, sets, target)
    }

    /// The numbers that mean something.
    private static let numbers = 1...100

    /// Whether the plan is a UUID and every number means something.
    package var isValid: Bool {
        UUID(uuidString: plan) != nil && ([set, sets] + [target].compactMap(\.self)).allSatisfy(Self.numbers.contains)
    }
}

/// The video that is kept with a session.
package struct SessionVideo: Sendable, Equatable, Codable {
    /// A container that browsers play.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case webm = "video/webm"
        case mp4 = "video/mp4"

        /// The extension of its files.
        package var fileEnding: String { self == .webm ? "webm" : "mp4" }
    }

    package var type: Kind
    package var bytes: Int
}

/// What a person adds to a session afterwards; nothing of it changes what was found.
package enum SessionAnnotation: Sendable, Equatable {
    /// What the repetitions really were; nil takes a correction back.
    case corrections([CorrectedRepetition]?)
    case marks([SessionMark])
    case note(String)

    /// The most repetitions of a correction: ten hours of one every four seconds.
    package static let mostRepetitions = 10_000
    /// The most marks of a session.
    package static let mostMarks = 1_000
    /// The longest note, characters.
    package static let noteLength = 500
    /// The longest label, and the longest name of a classifier, characters.
    package static let labelLength = 60
    /// How much later than the session's last frame something may end, seconds: a person stops by hand.
    private static let margin = 1.0
    /// A person's number is no more than this.
    private static let mostPeople = 1_000_000

    /// The same as it is stored: in order of time, a note without blanks around it.
    ///
    /// Throws `.invalidArgument` with one line where it makes no sense for a session of this many seconds.
    package func checked(duration: Double) throws(KinemaError) -> SessionAnnotation {
        switch self {
        case .corrections(nil): return self
        case .corrections(let repetitions?):
            guard repetitions.count <= Self.mostRepetitions else {
                throw Self.refusal("a correction has at most \(Self.mostRepetitions) repetitions")
            }
            for (index, one) in repetitions.enumerated() {
                try Self.check("repetition \(index + 1)", one.start, one.end, one.id, duration)
            }
            return .corrections(repetitions.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) })
        case .marks(let marks):
            guard marks.count <= Self.mostMarks else {
                throw Self.refusal("a session has at most \(Self.mostMarks) marks")
            }
            for (index, one) in marks.enumerated() {
                try Self.check("mark \(index + 1)", one.start, one.end, one.id ?? 0, duration)
                guard Self.isLabel(one.label) else {
                    throw Self.refusal(
                        "mark \(index + 1) needs a label of 1 to \(Self.labelLength) printable characters")
                }
            }
            return .marks(marks.sorted { ($0.start, $0.end, $0.label) < ($1.start, $1.end, $1.label) })
        case .note(let text):
            let text = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
            // Eight bytes a character hold every script; letters with a thousand combining marks each do not fit.
            guard text.count <= Self.noteLength, text.utf8.count <= 8 * Self.noteLength else {
                throw Self.refusal("a note has at most \(Self.noteLength) characters")
            }
            guard !text.unicodeScalars.contains(where: { $0 != "\n" && $0 != "\t" && PlainText.isHidden($0) }) else {
                throw Self.refusal("a note holds no control characters")
            }
            return .note(text)
        }
    }

    /// Whether a text can be a label or a name: short, on one line, with nothing hidden in it and nothing around it.
    package static func isLabel(_ text: String) -> Bool {
        (1...labelLength).contains(text.count) && text.utf8.count <= 4 * labelLength
            && !text.unicodeScalars.contains(where: PlainText.isHidden)
            && text == text.trimmingCharacters(in: .whitespaces)
    }

    private static func check(
        _ what: String, _ start: Double, _ end: Double, _ person: Int, _ duration: Double
    ) throws(KinemaError) {
        guard start.isFinite, end.isFinite, 0 <= start, start < end, end <= duration + margin else {
            throw refusal("\(what) needs times with 0 ≤ start < end ≤ \(duration + margin) seconds")
        }
        guard (0...mostPeople).contains(person) else { throw refusal("\(what) names no person's number") }
    }

    private static func refusal(_ what: String) -> KinemaError { KinemaError(.invalidArgument, what) }
}
