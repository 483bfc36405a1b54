import Foundation
import Kinema
import KinemaStudio

/// Sessions as a list, in each format; JSON is that of the studio's interface.
struct SessionList {
    private let sessions: [KeptSession]

    init(_ sessions: [KeptSession]) {
        self.sessions = sessions
    }

    func bytes(as format: OutputFormat) throws -> [UInt8] {
        switch format {
        case .text: return Array((PlainText.lines(text) + "\n").utf8)
        case .csv: return Array(table.utf8)
        case .json:
            return Array(try KeptSession.json(["sessions": sessions])) + Array("\n".utf8)
        case .jsonl: return try sessions.flatMap { Array(try $0.json()) + Array("\n".utf8) }
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

    /// Day and minute as a clock on the wall shows them.
    static func local(_ date: Date) -> String {
        date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
                    """, timeZone: .current, calendar: Calendar(identifier: .gregorian)))
    }

    private var table: String {
        let header =
            "id,date,mode,source,duration,exercise,count,people,repetitions,faults,throws,score,pinches,segments,poses"
        let rows = sessions.map { session in
            [
                session.id.uuidString, KeptSession.text(session.date), session.mode.rawValue, session.source,
                String(format: "%.3f", session.duration), session.exercise ?? "", "\(session.count)",
                "\(session.people)", "\(session.repetitions.count)",
                "\(session.repetitions.reduce(0) { $0 + $1.faults.count })", "\(session.throwsMade.count)",
                "\(session.throwsMade.reduce(0) { $0 + $1.score })", "\(session.pinches.count)",
                "\(session.segments.count)", session.hasPoses ? "1" : "0",
            ].map(DelimitedText.cell).joined(separator: ",")
        }
        return ([header] + rows).map { $0 + "\n" }.joined()
    }
}
