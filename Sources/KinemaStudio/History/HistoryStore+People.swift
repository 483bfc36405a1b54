import GRDB
import KinemaCore

extension HistoryStore {
    /// Someone whose sets are kept.
    struct Person: Sendable, Equatable, Codable, FetchableRecord {
        var name: String
        var sessions: Int
        /// The date of the newest, in ISO 8601.
        var latest: String
    }

    /// Everyone by name; who trained last comes first.
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
}
