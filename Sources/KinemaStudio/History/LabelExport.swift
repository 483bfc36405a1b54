import Foundation
import KinemaCore

/// Corrections and marks of sessions as the tables that `kinema evaluate count` and `kinema train` read.
struct LabelExport {
    private struct Entry {
        var session: StoredSession
        var file: String
    }

    static let (countsName, marksName) = ("labels.csv", "marks.csv")

    private let entries: [Entry]

    init(_ sessions: [StoredSession]) {
        // Two sessions of one mode that began in the same second have the same stem; the next one gets a number.
        var numbers: [String: Int] = [:]
        entries = sessions.map { session in
            let stem = SessionExport.stem(session)
            let number = numbers[stem, default: 0] + 1
            numbers[stem] = number
            let name = number == 1 ? stem : "\(stem)-\(number)"
            return Entry(session: session, file: "\(name).poses.jsonl")
        }
    }

    static func isLabelled(_ session: StoredSession) -> Bool { session.corrections != nil || !session.marks.isEmpty }

    var counts: String? {
        let rows = entries.compactMap { entry in
            entry.session.corrections.map { "\(DelimitedText.cell(entry.file)),\($0.count)\n" }
        }
        return rows.isEmpty ? nil : "file,reps\n" + rows.joined()
    }

    /// The marked parts; nil without marks. A single person is unnamed, since trainers hold out people as a whole.
    var marks: String? {
        let marks = entries.flatMap { entry in entry.session.marks.map { (entry, $0) } }
        guard !marks.isEmpty else { return nil }
        let names = Self.people(marks.map { ($0.0.session.id, $0.1) })
        let rows = zip(marks, names).map { part, name in
            [
                DelimitedText.cell(part.0.file), DelimitedText.cell(part.1.label), Self.text(part.1.start),
                Self.text(part.1.end), name ?? "",
            ].joined(separator: ",") + "\n"
        }
        return "file,label,start,end,person\n" + rows.joined()
    }

    /// The person of each mark, with a name that is unique across sessions; nil for all if there is only one person.
    static func people(_ marks: [(session: UUID, mark: SessionMark)]) -> [String?] {
        let names = marks.map { session, mark in mark.id.map { "\(session.uuidString.prefix(8).lowercased())-\($0)" } }
        return Set(names).count > 1 ? names : names.map { _ in nil }
    }

    /// The format `labels.csv` of one session: the true count if it was corrected, else the marks.
    func table() throws -> Data {
        guard let table = counts ?? marks else { throw Self.nothing(entries.first?.session) }
        return Data(table.utf8)
    }

    var tables: [(name: String, content: Data)] {
        [(Self.countsName, counts), (Self.marksName, marks)].compactMap { name, text in
            text.map { (name, Data($0.utf8)) }
        }
    }

    var files: [(session: UUID, name: String)] { entries.map { ($0.session.id, $0.file) } }

    static func nothing(_ session: StoredSession?) -> KinemaError {
        KinemaError(
            .invalidArgument,
            "nothing is corrected or marked in \(session == nil ? "any session with saved poses" : "this session")",
            file: session?.id.uuidString)
    }

    static func text(_ value: Double) -> String {
        var json = JSONText()
        json.number(value, decimals: 4)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
