import Foundation
import Kinema
import KinemaStudio

/// A stored session in words.
enum SessionText {
    /// What came of it, in a few words.
    static func summary(_ session: StoredSession) -> String {
        found(session) + (session.corrections.map { ", corrected to \($0.count)" } ?? "")
    }

    private static func found(_ session: StoredSession) -> String {
        switch session.mode {
        case .poses: return PlainText.counted(session.people, "person", "people")
        case .count: return PlainText.counted(session.count, "repetition")
        case .coach:
            let faults = session.faults.count
            let name = session.exercise?.replacing("_", with: " ") ?? "no exercise"
            return PlainText.counted(session.count, "repetition") + " of \(name)"
                + (faults > 0 ? ", " + PlainText.counted(faults, "fault") : "")
        case .draw: return PlainText.counted(session.pinches.count, "pinch", "pinches")
        case .toss:
            let score = session.throwsMade.reduce(0) { $0 + $1.score }
            return PlainText.counted(session.throwsMade.count, "throw") + ", " + PlainText.counted(score, "point")
        case .classify:
            let labels = session.segments.compactMap(\.label)
            return PlainText.oneLine(Set(labels).sorted().joined(separator: ", "))
        }
    }

    /// All of it, line by line.
    static func lines(_ session: StoredSession) -> String {
        var lines = [
            "\(session.id.uuidString.lowercased())",
            "\(SessionList.local(session.date)), \(session.mode.rawValue), \(PlainText.oneLine(session.source)), "
                + "\(one(session.duration)) s, \(summary(session))",
        ]
        for (number, repetition) in session.repetitions.enumerated() {
            lines.append("  \(number + 1).  \(line(repetition))")
            lines += repetition.faults.map { "      " + line($0) }
        }
        for hold in session.holds {
            lines.append("  held \(one(hold.start)) to \(one(hold.end)) s, person \(hold.id)")
            lines += hold.faults.map { "      " + line($0) }
        }
        lines += session.throwsMade.map { "  " + $0.line }
        if let game = session.game { lines.append(game.text) }
        lines += session.pinches.map { "  \(one($0.start)) to \(one($0.end)) s, \($0.hand ?? "unknown") hand" }
        lines += session.segments.map { segment in
            "  \(one(segment.start)) to \(one(segment.end)) s, "
                + "\(segment.label.map { PlainText.oneLine($0) } ?? "(none of the classes)"), "
                + percent(segment.confidence)
        }
        if let corrections = session.corrections {
            lines.append("corrected: " + PlainText.counted(corrections.count, "repetition"))
            lines += corrections.map { "  \(one($0.start)) to \(one($0.end)) s, person \($0.id)" }
        }
        lines += session.marks.map { "  \(one($0.start)) to \(one($0.end)) s, marked \(PlainText.oneLine($0.label))" }
        if !session.note.isEmpty { lines.append("note: " + PlainText.oneLine(session.note)) }
        if let plan = session.plan {
            lines.append("set \(plan.set) of \(plan.sets)" + (plan.target.map { ", \($0) repetitions planned" } ?? ""))
        }
        if let video = session.video {
            lines.append("a video is stored (\(video.type.rawValue), \(video.bytes) bytes)")
        }
        if session.drawing != nil { lines.append("a drawing is stored") }
        if session.hasPoses { lines.append("poses are stored") }
        return lines.joined(separator: "\n")
    }

    private static func line(_ repetition: StoredSession.Repetition) -> String {
        var text = "\(one(repetition.start)) to \(one(repetition.end)) s, person \(repetition.id)"
        if let confidence = repetition.confidence { text += ", confidence \(percent(confidence))" }
        if let depth = repetition.depth { text += ", depth \(percent(depth))" }
        if let tempo = repetition.tempo {
            text +=
                ", eccentric \(one(tempo.eccentric)) pause \(one(tempo.pause)) "
                + "concentric \(one(tempo.concentric)) s"
        }
        return text
    }

    private static func line(_ fault: FaultResult) -> String {
        func number(_ value: Double) -> String { String(format: abs(value) < 10 ? "%.2f" : "%.0f", value) }
        var text = fault.title
        if let joint = fault.joint { text += ": \(joint)" }
        return text + " \(number(fault.measured)) \(fault.unit), expected \(number(fault.expected)) (\(fault.phase))"
    }

    private static func one(_ value: Double) -> String { String(format: "%.1f", value) }
    private static func percent(_ share: Double) -> String { "\(Int(clamping: share * 100)) %" }
}

/// Sessions as a list, in each format; JSON is that of the studio's interface.
struct SessionList {
    private let sessions: [StoredSession]

    init(_ sessions: [StoredSession]) {
        self.sessions = sessions
    }

    func bytes(as format: OutputFormat) throws -> [UInt8] {
        switch format {
        case .text: return Array((PlainText.lines(text) + "\n").utf8)
        case .csv: return Array(table.utf8)
        case .json:
            return Array(try StoredSession.json(["sessions": sessions])) + Array("\n".utf8)
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
            "id,date,mode,source,duration,exercise,count,people,repetitions,faults,throws,score,pinches,segments,poses,corrected,marks"
        let rows = sessions.map { session in
            [
                session.id.uuidString, StoredSession.text(session.date), session.mode.rawValue, session.source,
                String(format: "%.3f", session.duration), session.exercise ?? "", "\(session.count)",
                "\(session.people)", "\(session.repetitions.count)",
                "\(session.faults.count)", "\(session.throwsMade.count)",
                "\(session.throwsMade.reduce(0) { $0 + $1.score })", "\(session.pinches.count)",
                "\(session.segments.count)", session.hasPoses ? "1" : "0",
                session.corrections.map { "\($0.count)" } ?? "", "\(session.marks.count)",
            ].map(DelimitedText.cell).joined(separator: ",")
        }
        return ([header] + rows).map { $0 + "\n" }.joined()
    }
}
