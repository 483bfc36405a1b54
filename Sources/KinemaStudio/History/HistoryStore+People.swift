import Foundation
import GRDB
import KinemaCore

extension HistoryStore {
    /// A person whose sets are stored.
    struct Person: Sendable, Equatable, Codable, FetchableRecord {
        var name: String
        var sessions: Int
        /// The date of the newest, in ISO 8601.
        var latest: String
    }

    /// Everyone by name, most recently trained first.
    func people() async throws(KinemaError) -> [Person] {
        try await perform { db in
            try Person.fetchAll(
                db,
                sql: """
                    SELECT person AS name, count(*) AS sessions, max(date) AS latest FROM detail \
                    JOIN session ON session.id = detail.session WHERE typeof(person) = 'text' \
                    GROUP BY person ORDER BY latest DESC, person
                    """)
        }
    }

    func person(of id: UUID) async throws(KinemaError) -> String? {
        try await perform { db in try Self.person(of: id, db) }
    }

    /// The names of all exercises, or of those taught from a person's sessions, with their origins.
    func taught(by person: String? = nil) async throws(KinemaError) -> [HistoryArchive.Description.Exercise] {
        let all = exercises.names.map { HistoryArchive.Description.Exercise(name: $0, origin: exercises.origin($0)) }
        let known = try await perform { db in
            try all.map { one in
                // A note may predate the session's move to another person.
                guard let origin = one.origin, try SessionRows.isKnown(origin.session, db) else { return one }
                var one = one
                one.origin?.person = try Self.person(of: origin.session, db)
                return one
            }
        }
        guard let person else { return known }
        return known.filter { $0.origin?.person == person }
    }
}
