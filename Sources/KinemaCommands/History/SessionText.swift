import Foundation
import Kinema
import KinemaStudio

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
