import KinemaHistory
import ArgumentParser
import Foundation
import KinemaCommands
import Kinema
import KinemaStudio

/// A day or a time on a command line: 2026-11-21, or ISO 8601 with a time.
struct DateArgument: ExpressibleByArgument {
    let date: Date
    let isDay: Bool

    init?(argument: String) {
        if let moment = (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(argument))
            ?? (try? Date.ISO8601FormatStyle().parse(argument))
        {
            (date, isDay) = (moment, false)
            return
        }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        let calendar = Calendar(identifier: .gregorian)
        let components = DateComponents(year: year, month: month, day: day)
        guard components.isValidDate(in: calendar), let start = calendar.date(from: components) else { return nil }
        (date, isDay) = (start, true)
    }

    var end: Date {
        guard isDay else { return date }
        return Calendar(identifier: .gregorian).date(byAdding: .day, value: 1, to: date) ?? date
    }
}

struct HistoryListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the saved sessions, newest first.")

    @OptionGroup var history: HistoryOptionGroup

    @Option(help: "Only sessions of this mode.")
    var mode: StoredSession.Mode?

    @Option(help: "Only sessions since this day (2026-11-21) or moment (2026-11-21T18:30:00Z).")
    var from: DateArgument?

    @Option(help: "Only sessions up to and including this day, or before this moment.")
    var to: DateArgument?

    @Option(help: "List at most this many sessions.")
    var limit: Int?

    @OptionGroup var results: FormatOptionGroup

    func validate() throws { if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") } }

    func run() async throws {
        let store = try history.existing()
        var sessions: [ListedSession] = []
        var after: SessionCursor?
        repeat {
            let most = min(limit.map { $0 - sessions.count } ?? Self.part, Self.part)
            let page = try await store?.list(mode: mode, from: from?.date, to: to?.end, after: after, limit: most)
            sessions += page?.sessions ?? []
            after = page?.next
        } while after != nil && sessions.count < limit ?? .max
        try StandardOutput().write(try SessionList(sessions: sessions).bytes(as: results.format))
    }

    /// Sessions to read at once, so that a studio can write in between.
    private static let part = 1_000
}

extension StoredSession.Mode: ExpressibleByArgument {}

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

enum SessionText {
    static func summary(_ session: ListedSession) -> String {
        found(session) + (session.correctedCount.map { ", corrected to \($0)" } ?? "")
    }

    private static func found(_ session: ListedSession) -> String {
        let outline = session.outline
        switch session.mode {
        case .poses: return PlainText.counted(session.people, "person", "people")
        case .count: return PlainText.counted(session.count, "repetition")
        case .coach:
            let name = session.exercise?.replacing("_", with: " ") ?? "no exercise"
            return PlainText.counted(session.count, "repetition") + " of \(name)"
                + (outline.faults > 0 ? ", " + PlainText.counted(outline.faults, "fault") : "")
        case .draw: return PlainText.counted(outline.pinches, "pinch", "pinches")
        case .toss:
            return PlainText.counted(outline.throws, "throw") + ", " + PlainText.counted(outline.score, "point")
        case .classify: return PlainText.oneLine(outline.actions.joined(separator: ", "))
        }
    }

    static func lines(_ session: StoredSession) -> String {
        var lines = [
            "\(session.id.uuidString.lowercased())",
            "\(SessionList.local(StoredSession.text(session.date))), \(session.mode.rawValue), \(PlainText.oneLine(session.source)), "
                + "\(one(session.duration)) s, \(summary(ListedSession(session)))",
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
