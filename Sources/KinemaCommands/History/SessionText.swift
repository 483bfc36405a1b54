import Foundation
import Kinema
import KinemaStudio

/// A kept session in words.
enum SessionText {
    /// What came of it, in a few words.
    static func summary(_ session: KeptSession) -> String {
        switch session.mode {
        case .poses: return PlainText.counted(session.people, "person", "people")
        case .count: return PlainText.counted(session.count, "repetition")
        case .coach:
            let faults = session.repetitions.reduce(0) { $0 + $1.faults.count }
            let name = session.exercise?.replacing("_", with: " ") ?? "no exercise"
            return PlainText.counted(session.count, "repetition") + " of \(name)"
                + (faults > 0 ? ", " + PlainText.counted(faults, "fault") : "")
        case .draw: return PlainText.counted(session.pinches.count, "pinch", "pinches")
        case .toss:
            let score = session.throwsMade.reduce(0) { $0 + $1.score }
            return PlainText.counted(session.throwsMade.count, "throw") + ", " + PlainText.counted(score, "point")
        case .classify:
            let labels = session.segments.map(\.label).filter { !$0.isEmpty }
            return PlainText.oneLine(Set(labels).sorted().joined(separator: ", "))
        }
    }

    /// All of it, line by line.
    static func lines(_ session: KeptSession) -> String {
        var lines = [
            "\(session.id.uuidString.lowercased())",
            "\(SessionList.local(session.date)), \(session.mode.rawValue), \(PlainText.oneLine(session.source)), "
                + "\(one(session.duration)) s, \(summary(session))",
        ]
        for (number, repetition) in session.repetitions.enumerated() {
            lines.append("  \(number + 1).  \(line(repetition))")
            lines += repetition.faults.map { "      " + line($0) }
        }
        for (number, toss) in session.throwsMade.enumerated() {
            var text = "  \(number + 1).  \(one(toss.start)) to \(one(toss.end)) s, \(toss.type)"
            if let speed = toss.speedMps { text += String(format: ", %.2f m/s", speed) }
            if let angle = toss.angle { text += String(format: ", %.0f\u{B0}", angle) }
            lines.append(text + ", \(toss.landing), \(toss.score)")
        }
        lines += session.pinches.map { "  \(one($0.start)) to \(one($0.end)) s, \($0.hand) hand" }
        lines += session.segments.map { segment in
            "  \(one(segment.start)) to \(one(segment.end)) s, "
                + "\(segment.label.isEmpty ? "(none of the classes)" : PlainText.oneLine(segment.label)), "
                + percent(segment.confidence)
        }
        if session.drawing != nil { lines.append("a drawing was kept") }
        if session.hasPoses { lines.append("poses were kept") }
        return lines.joined(separator: "\n")
    }

    private static func line(_ repetition: KeptSession.Repetition) -> String {
        var text = "\(one(repetition.start)) to \(one(repetition.end)) s, person \(repetition.person)"
        if let confidence = repetition.confidence { text += ", confidence \(percent(confidence))" }
        if let depth = repetition.depth { text += ", depth \(percent(depth))" }
        if let tempo = repetition.tempo {
            text += ", out \(one(tempo.out)) hold \(one(tempo.hold)) back \(one(tempo.back)) s"
        }
        return text
    }

    private static func line(_ fault: KeptSession.Fault) -> String {
        func number(_ value: Double) -> String { String(format: abs(value) < 10 ? "%.2f" : "%.0f", value) }
        var text = fault.title
        if let joint = fault.joint { text += ": \(joint)" }
        if let measured = fault.measured { text += " \(number(measured))" }
        if let expected = fault.expected { text += ", expected \(number(expected))" }
        if let phase = fault.phase { text += " (\(phase))" }
        return text
    }

    private static func one(_ value: Double) -> String { String(format: "%.1f", value) }
    private static func percent(_ share: Double) -> String { "\(Int(clamping: share * 100)) %" }
}
