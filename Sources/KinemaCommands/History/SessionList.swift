import Foundation
import Kinema
import KinemaStudio

/// Sessions as a list, in each format; JSON is that of the studio's interface.
struct SessionList {
    let sessions: [ListedSession]

    func bytes(as format: OutputFormat) throws -> [UInt8] {
        switch format {
        case .text: return Array((PlainText.lines(text) + "\n").utf8)
        case .csv: return Array(table.utf8)
        case .json:
            return Array(try StoredSession.json(["sessions": sessions])) + Array("\n".utf8)
        case .jsonl: return try sessions.flatMap { Array(try StoredSession.json($0)) + Array("\n".utf8) }
        }
    }

    private var text: String {
        guard !sessions.isEmpty else { return "no sessions" }
        let rows = sessions.map { session in
            [
                String(session.id.uuidString.prefix(8)).lowercased(), Self.local(session.date), session.mode.rawValue,
                String(format: "%.0f s", session.duration), SessionText.summary(session),
                PlainText.oneLine(session.source),
            ]
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
                .trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }

    /// A date in ISO 8601 as local day and minute.
    static func local(_ text: String) -> String {
        guard let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text) else { return text }
        return date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
                    """, timeZone: .current, calendar: Calendar(identifier: .gregorian)))
    }

    private var table: String {
        let header =
            "id,date,mode,source,duration,exercise,count,people,repetitions,faults,throws,score,pinches,segments,poses,corrected,marks"
        let rows = sessions.map { session in
            let outline = session.outline
            return [
                session.id.uuidString, session.date, session.mode.rawValue, session.source,
                String(format: "%.3f", session.duration), session.exercise ?? "", "\(session.count)",
                "\(session.people)", "\(outline.repetitions)", "\(outline.faults)", "\(outline.throws)",
                "\(outline.score)", "\(outline.pinches)", "\(outline.segments)", session.hasPoses ? "1" : "0",
                session.correctedCount.map { "\($0)" } ?? "", "\(outline.marks)",
            ]
        }
        return header + "\n" + DelimitedText.table(rows)
    }
}
