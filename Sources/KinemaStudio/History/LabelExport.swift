import Foundation
import Kinema
import KinemaCore

/// What people say of sessions, as the tables that `kinema evaluate count` and `kinema train` read, with the poses beside
/// them where they are wanted.
struct LabelExport {
    /// A session with the name that its poses have in the export.
    private struct Entry {
        var session: StoredSession
        var file: String
    }

    /// The tables' names in an archive.
    static let (countsName, marksName) = ("labels.csv", "marks.csv")

    private let entries: [Entry]

    /// Takes sessions; two of one mode that began in the same second get a number.
    init(_ sessions: [StoredSession]) {
        // A stem ends in the time of day, so one with a number behind it is no other's stem.
        var numbers: [String: Int] = [:]
        entries = sessions.map { session in
            let stem = SessionExport.stem(session)
            let number = numbers[stem, default: 0] + 1
            numbers[stem] = number
            let name = number == 1 ? stem : "\(stem)-\(number)"
            return Entry(session: session, file: "\(name).poses.jsonl")
        }
    }

    /// Whether something is said of a session.
    static func isLabelled(_ session: StoredSession) -> Bool { session.corrections != nil || !session.marks.isEmpty }

    /// The true counts; nil when no session is corrected.
    var counts: String? {
        let rows = entries.compactMap { entry in
            entry.session.corrections.map { "\(DelimitedText.cell(entry.file)),\($0.count)\n" }
        }
        return rows.isEmpty ? nil : "file,reps\n" + rows.joined()
    }

    /// The marked parts; nil when there are none.
    ///
    /// A trainer holds out everything of a person together, so people are named only where there are several.
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

    /// Who each mark shows, as a name that is another one in another session; nil for all where they show one person only.
    static func people(_ marks: [(session: UUID, mark: SessionMark)]) -> [String?] {
        let names = marks.map { session, mark in mark.id.map { "\(session.uuidString.prefix(8).lowercased())-\($0)" } }
        return Set(names).count > 1 ? names : names.map { _ in nil }
    }

    /// The table of one session, as the format `labels.csv` has it: the true count where it was corrected, else the marks.
    func table() throws -> Data {
        guard let table = counts ?? marks else { throw Self.nothing(entries.first?.session) }
        return Data(table.utf8)
    }

    /// The tables with their names in an archive.
    var tables: [(name: String, content: Data)] {
        [(Self.countsName, counts), (Self.marksName, marks)].compactMap { name, text in
            text.map { (name, Data($0.utf8)) }
        }
    }

    /// What each session's poses are called in an archive.
    var files: [(session: UUID, name: String)] { entries.map { ($0.session.id, $0.file) } }

    static func nothing(_ session: StoredSession?) -> KinemaError {
        KinemaError(
            .invalidArgument,
            "nothing is corrected or marked in \(session == nil ? "any session with saved poses" : "this session")",
            file: session?.id.uuidString)
    }

    private static func text(_ seconds: Double) -> String {
        var json = JSONText()
        json.number(seconds, decimals: 4)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
