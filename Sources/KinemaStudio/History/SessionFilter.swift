package import Foundation
import GRDB
import KinemaCore

/// A filter for the list of sessions; nil matches any.
package struct SessionFilter: Sendable {
    var person: String?
    /// A recognised exercise, or a name that a coach gave.
    var exercise: String?
    var workout: UUID?
    /// Words that must all occur in a session, ignoring case and accents.
    var words: String?

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

extension SessionFilter {
    /// Characters of a search.
    private static let wordsLength = 200

    init(_ request: StudioRequest) throws {
        func name(_ text: String) -> String? { SessionAnnotation.isLabel(SessionDetails.plain(text)) ? text : nil }
        (person, exercise) = (try request.value("person", name), try request.value("exercise", name))
        workout = try request.value("workout", UUID.init(uuidString:))
        words = try request.value("search") { $0.count <= Self.wordsLength ? $0 : nil }
    }
}

extension ListedSession {
    fileprivate var searched: String {
        let names = [details?.name, details?.person, exercise, exercise.map { $0.replacing("_", with: " ") }, note]
        return (names.compactMap(\.self) + [mode.rawValue, source, date] + outline.actions + outline.labels)
            .joined(separator: "\n")
    }
}
