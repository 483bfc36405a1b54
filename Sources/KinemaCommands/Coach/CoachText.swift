import Foundation
import Kinema

/// Coaching in words.
enum CoachText {
    static func lines(_ report: CoachReport) -> String {
        let speed = report.seconds > 0 ? one(Double(report.frames) / report.seconds) : "-"
        let names = report.exercise?.title ?? "no exercise recognised"
        var lines = [
            "\(PlainText.oneLine(report.source)): \(names), \(PlainText.counted(report.count, "repetition")) in \(one(report.duration)) s "
                + "(\(PlainText.counted(report.frames, "frame")), \(speed) frames/s)"
        ]
        if report.framesWithSomeone == 0 { lines.append("nobody found") }
        for person in report.people where person.exercise != nil {
            lines.append("person \(person.id): \(person.exercise?.title ?? "-"), \(person.repetitions.count)")
            for (number, repetition) in person.repetitions.enumerated() {
                lines.append("  \(number + 1).  \(line(repetition))")
                lines += repetition.faults.map { "      " + line($0) }
            }
            for hold in person.holds {
                lines.append("  held \(one(hold.end - hold.start)) s, \(one(hold.start)) to \(one(hold.end)) s")
                lines += hold.faults.map { "      " + line($0) }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ repetition: CoachedRepetition) -> String {
        let tempo = repetition.tempo
        var text =
            "\(one(repetition.start)) to \(one(repetition.end)) s, depth \(percent(repetition.depth)), "
            + "eccentric \(one(tempo.eccentric)) pause \(one(tempo.pause)) concentric \(one(tempo.concentric)) s"
        if let symmetry = repetition.symmetry { text += ", symmetry \(percent(symmetry))" }
        if let side = repetition.side { text += ", \(side.rawValue) side" }
        return text
    }

    private static func line(_ fault: Fault) -> String {
        func number(_ value: Double) -> String { String(format: abs(value) < 10 ? "%.2f" : "%.0f", value) }
        return
            "\(fault.code.title): \(fault.joint.map { "\($0.rawValue) " } ?? "")\(number(fault.measured)) \(fault.unit.rawValue), "
            + "expected \(fault.measured < fault.expected ? "at least" : "at most") \(number(fault.expected)) "
            + "± \(number(fault.tolerance)) (\(fault.phase))"
    }

    private static func one(_ value: Double) -> String { String(format: "%.1f", value) }
    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
