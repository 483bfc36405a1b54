import Foundation

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
