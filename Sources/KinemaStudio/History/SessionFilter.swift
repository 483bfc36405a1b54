package import Foundation
import GRDB
import KinemaCore

/// Which sessions of a list are wanted; nil is any.
package struct SessionFilter: Sendable {
    var person: String?
    /// A recognised exercise, or a name that a coach gave.
    var exercise: String?
    var workout: UUID?
    /// Words that a session has all of, in any case and without accents.
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
        func name(_ key: String) throws -> String? {
            try request.parameter(key).map { text in
                guard SessionAnnotation.isLabel(SessionDetails.plain(text)) else { throw HTTPError.parameter(key) }
                return text
            }
        }
        (person, exercise) = (try name("person"), try name("exercise"))
        workout = try request.parameter("workout").map { text in
            guard let id = UUID(uuidString: text) else { throw HTTPError.parameter("workout") }
            return id
        }
        words = request.parameter("search")
        guard words.map({ $0.count <= Self.wordsLength }) != false else { throw HTTPError.parameter("search") }
    }
}

extension ListedSession {
    fileprivate var searched: String {
        let names = [details?.name, details?.person, exercise, exercise.map { $0.replacing("_", with: " ") }, note]
        return (names.compactMap(\.self) + [mode.rawValue, source, date] + outline.actions + outline.labels)
            .joined(separator: "\n")
    }
}
