import Foundation
import Kinema

struct SessionEvents {
    let session: StoredSession

    /// A member of a line: an event under its name, as in the command's JSON Lines, or the session's id.
    private enum Member<Event: Encodable>: Encodable {
        case event(Event)
        case session(UUID)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .event(let event): try event.encode(to: encoder)
            case .session(let id): try id.encode(to: encoder)
            }
        }
    }

    func lines() throws -> Data {
        try lines("repetition", session.repetitions) + lines("hold", session.holds)
            + lines("throw", session.throwsMade) + lines("pinch", session.pinches)
            + lines("segment", session.segments) + lines("correction", session.corrections ?? [])
            + lines("mark", session.marks)
    }

    private func lines(_ name: String, _ events: [some Encodable]) throws -> Data {
        try events.reduce(into: Data()) { data, event in
            let members = [name: Member.event(event), "session": .session(session.id)]
            data += try StoredSession.json(members) + Data("\n".utf8)
        }
    }

    private static let columns = [
        "session", "date", "mode", "exercise", "kind", "number", "start", "end", "id", "confidence", "depth",
        "eccentric", "pause", "concentric", "faults", "type", "speed_mps", "speed_mph", "angle", "landing", "score",
        "hand", "label", "distance_m", "distance_ft", "counted", "corrected",
    ]

    /// A row for each event (RFC 4180); faults are separated by semicolons.
    func table() -> String {
        var rows = [Self.columns.joined(separator: ",")]
        func add(_ kind: String, _ index: Int, _ start: Double, _ end: Double, _ cells: [String: String]) {
            rows.append(row(kind, index, start, end, cells))
        }
        let isSeen = session.isSeen
        for (index, one) in session.repetitions.enumerated() {
            // Measures of a repetition that was not seen completely are not reported.
            let (depth, tempo) = isSeen[index] ? (one.depth, one.tempo) : (nil, nil)
            add(
                "repetition", index, one.start, one.end,
                [
                    "id": "\(one.id)", "confidence": text(one.confidence), "depth": text(depth),
                    "eccentric": text(tempo?.eccentric), "pause": text(tempo?.pause),
                    "concentric": text(tempo?.concentric), "faults": text(one.faults),
                ])
        }
        for (index, one) in session.holds.enumerated() {
            add("hold", index, one.start, one.end, ["id": "\(one.id)", "faults": text(one.faults)])
        }
        for (index, one) in session.throwsMade.enumerated() {
            add(
                "throw", index, one.start, one.end,
                [
                    "type": one.type, "speed_mps": text(one.speedMps), "speed_mph": text(one.speedMph),
                    "angle": text(one.angle), "landing": one.landing, "score": "\(one.score)",
                    "confidence": text(one.typeConfidence), "distance_m": text(one.distanceM),
                    "distance_ft": text(one.distanceFt),
                ])
        }
        for (index, one) in session.pinches.enumerated() {
            add("pinch", index, one.start, one.end, ["hand": one.hand ?? ""])
        }
        for (index, one) in session.segments.enumerated() {
            add("segment", index, one.start, one.end, ["label": one.label ?? "", "confidence": text(one.confidence)])
        }
        for (index, one) in (session.corrections ?? []).enumerated() {
            add("correction", index, one.start, one.end, ["id": "\(one.id)"])
        }
        for (index, one) in session.marks.enumerated() {
            add("mark", index, one.start, one.end, ["id": one.id.map { "\($0)" } ?? "", "label": one.label])
        }
        return rows.map { $0 + "\n" }.joined()
    }

    private func text(_ faults: [FaultResult]) -> String { faults.map(\.code).joined(separator: ";") }

    private func row(_ kind: String, _ index: Int, _ start: Double, _ end: Double, _ cells: [String: String]) -> String
    {
        let common = [
            "session": session.id.uuidString, "date": StoredSession.text(session.date),
            "mode": session.mode.rawValue, "exercise": session.exercise ?? "", "kind": kind, "number": "\(index + 1)",
            "start": text(start), "end": text(end), "counted": "\(session.count)",
            "corrected": session.corrections.map { "\($0.count)" } ?? "",
        ]
        return Self.columns.map { DelimitedText.cell(common[$0] ?? cells[$0] ?? "") }.joined(separator: ",")
    }

    private func text(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        return LabelExport.text(value)
    }
}
