package import Foundation
import Kinema
import KinemaCore

struct SessionExport {
    let session: StoredSession

    /// Throws `.invalidArgument` if the format needs poses and none are stored, or no person is in them.
    func file(_ format: SessionFormat) throws -> ExportedFile {
        func file(_ ending: String, _ type: String, _ bytes: Data) -> ExportedFile {
            ExportedFile(name: "\(stem).\(ending)", mediaType: type, bytes: bytes)
        }
        switch format {
        case .json: return file("json", "application/json", try session.json() + Data("\n".utf8))
        case .jsonl: return file("jsonl", "application/jsonl", try SessionEvents(session: session).lines())
        case .csv: return file("csv", "text/csv", Data(SessionEvents(session: session).table().utf8))
        case .svg: return file("svg", "image/svg+xml", try SessionChart(session).svg())
        case .png: return file("png", "image/png", try SessionChart(session).png())
        case .poseLines: return file("poses.jsonl", "application/jsonl", try poses)
        case .poseTable: return try ExportedFile.poses(frames, as: .csv, stem: "\(stem).poses")
        case .trc: return try ExportedFile.poses(frames, as: .trc, stem: stem)
        case .mot: return try ExportedFile.poses(frames, as: .mot, stem: stem)
        case .coco: return try ExportedFile.poses(frames, as: .coco, stem: stem)
        case .openpose: return try ExportedFile.poses(frames, as: .openpose, stem: stem)
        case .labels: return file("labels.csv", "text/csv", try LabelExport([session]).table())
        case .labelArchive: return file("labels.zip", "application/zip", try labelArchive())
        }
    }

    private func labelArchive() throws -> Data {
        guard LabelExport.isLabelled(session) else { throw LabelExport.nothing(session) }
        let (lines, export) = (try poses, LabelExport([session]))
        var zip = ZipArchive()
        for (name, content) in export.tables { try zip.add(Array(content), name: name) }
        for (_, name) in export.files { try zip.add(Array(lines), name: name) }
        return Data(zip.finish())
    }

    private var stem: String { Self.stem(session) }

    static func stem(_ session: StoredSession) -> String {
        let digits = StoredSession.text(session.date).prefix(19).filter(\.isNumber)
        return "kinema-\(session.mode.rawValue)-\(digits.prefix(8))-\(digits.dropFirst(8))"
    }

    private var poses: Data {
        get throws {
            guard let poses = session.poses else {
                throw KinemaError(
                    .invalidArgument, "no poses are stored with this session; they are stored only on request",
                    file: session.id.uuidString)
            }
            return poses
        }
    }

    private var frames: [ExportedFrame] {
        get throws { try PoseLinesReader.frames(try poses, file: session.id.uuidString) }
    }
}

/// Corrections and marks of sessions as the tables that `kinema evaluate count` and `kinema train` read.
package struct LabelExport {
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
    package static func people(_ marks: [(session: UUID, mark: SessionMark)]) -> [String?] {
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
