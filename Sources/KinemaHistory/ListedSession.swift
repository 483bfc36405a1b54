import KinemaHTTP
package import Foundation
import GRDB
import Kinema
import KinemaCore

/// A session in a list: numbers without events, drawing and poses.
package struct ListedSession: Sendable, Equatable, Identifiable, Codable {
    /// The numbers of the events; the keys are those of the session's lists.
    package struct Outline: Sendable, Equatable, Codable {
        package var repetitions = 0, holds = 0, `throws` = 0, pinches = 0, segments = 0, marks = 0
        /// All faults, and the repetitions with one.
        package var faults = 0, faulty = 0
        package var score = 0
        /// The mean and the largest depth.
        package var depth: Double?, deepest: Double?
        /// The mean length of a repetition and the longest hold, seconds.
        package var seconds: Double?, longestHold: Double?
        /// The joint measured, and the mean of its range in degrees.
        package var joint: String?, range: Double?
        /// The mean over the repetitions with a known value, 0...1.
        package var symmetry: Double?
        /// The mean likeness to a shown exercise, 0...100.
        package var likeness: Double?
        /// Metres a second, of the newest throws.
        package var speeds: [Double] = []
        /// Metres a second.
        package var topSpeed: Double?
        /// Recognised and marked actions, the first ones by name.
        package var actions: [String] = [], labels: [String] = []
    }

    package var id: UUID
    /// ISO 8601.
    package var date: String
    package var mode: StoredSession.Mode
    package var source: String
    package var duration: Double
    package var exercise: String?
    package var count: Int
    package var people: Int
    package var hasPoses: Bool
    package var correctedCount: Int?
    package var note: String?
    package var plan: SessionPlan?
    package var details: SessionDetails?
    package var turn: TurnSkeleton?
    package var outline: Outline

    private static let mostNames = 10
    /// The number that a chart of all games shows.
    private static let mostSpeeds = 40

    package init(_ session: StoredSession) {
        (id, date, mode) = (session.id, StoredSession.text(session.date), session.mode)
        (source, duration, exercise) = (
            session.source, session.duration.isFinite ? session.duration : 0, session.exercise
        )
        (count, people, hasPoses) = (session.count, session.people, session.hasPoses)
        correctedCount = session.corrections?.count
        note = session.note.isEmpty ? nil : session.note
        (plan, details, turn) = (session.plan, session.details, session.turn)
        outline = Outline()
        (outline.repetitions, outline.holds) = (session.repetitions.count, session.holds.count)
        (outline.throws, outline.pinches) = (session.throwsMade.count, session.pinches.count)
        (outline.segments, outline.marks) = (session.segments.count, session.marks.count)
        outline.faults = session.faults.count
        outline.faulty = session.repetitions.count { !$0.faults.isEmpty }
        outline.score = session.throwsMade.reduce(0) { $0 &+ $1.score }
        let depths = session.repetitions.compactMap(\.depth)
        (outline.depth, outline.deepest) = (Self.mean(depths), depths.max())
        outline.seconds = Self.mean(session.trueRepetitions.map { $0.end - $0.start })
        (outline.joint, outline.range) = (session.measured?.joint, session.measured?.range)
        outline.symmetry = Self.mean(
            session.measured?.repetitions.compactMap(\.symmetry) ?? session.repetitions.compactMap(\.symmetry))
        outline.likeness = Self.mean(session.repetitions.compactMap(\.likeness))
        outline.longestHold = session.holds.map { $0.end - $0.start }.max()
        outline.speeds = session.throwsMade.suffix(Self.mostSpeeds).map(\.speedMps)
        outline.topSpeed = session.game?.topSpeedMps ?? session.throwsMade.map(\.speedMps).max()
        outline.actions = Self.names(session.segments.compactMap(\.label))
        outline.labels = Self.names(session.marks.map(\.label))
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    private static func names(_ all: [String]) -> [String] { Array(Set(all).sorted().prefix(mostNames)) }
}

package struct SessionPage: Sendable, Equatable, Codable {
    package var sessions: [ListedSession]
    /// The start of the next page; nil at the end.
    package var next: SessionCursor?
}

/// A filter for the list of sessions; nil matches any.
package struct SessionFilter: Sendable {
    package var person: String?
    /// A recognised exercise, or a name that a coach gave.
    package var exercise: String?
    package var workout: UUID?
    /// Words that must all occur in a session, ignoring case and accents.
    package var words: String?

    package init(person: String? = nil, exercise: String? = nil, workout: UUID? = nil, words: String? = nil) {
        (self.person, self.exercise, self.workout, self.words) = (person, exercise, workout, words)
    }

    /// SQL's `has_words(json, words)` for the JSON of list entries.
    static let function = DatabaseFunction("has_words", argumentCount: 2, pure: true) { values in
        guard let json = String.fromDatabaseValue(values[0]), let words = String.fromDatabaseValue(values[1]),
            let listed = try? JSONDecoder().decode(ListedSession.self, from: Data(json.utf8))
        else { return false }
        let text = plain(listed.searched)
        return plain(words).split(separator: " ").allSatisfy { text.contains($0) }
    }

    private static func plain(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

extension ListedSession {
    fileprivate var searched: String {
        let names = [details?.name, details?.person, exercise, exercise.map { $0.replacing("_", with: " ") }, note]
        return (names.compactMap(\.self) + [mode.rawValue, source, date] + outline.actions + outline.labels)
            .joined(separator: "\n")
    }
}

/// A position in the list of sessions: after one of them, even if it is deleted.
package struct SessionCursor: Sendable, Equatable, RawRepresentable, Codable {
    let date: String
    let id: String

    init(_ session: ListedSession) { (date, id) = (session.date, session.id.uuidString) }

    package init?(rawValue: String) {
        let parts = rawValue.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, (try? StoredSession.dateFormat.parse(parts[0])) != nil,
            UUID(uuidString: parts[1]) != nil
        else { return nil }
        (date, id) = (parts[0], parts[1])
    }

    package var rawValue: String { "\(date)_\(id)" }
}
