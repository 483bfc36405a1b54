internal import Foundation
internal import KinemaCore

/// What happened in a session, one thing after the other, as lines and as a table.
struct SessionEvents {
    private let session: KeptSession

    init(_ session: KeptSession) {
        self.session = session
    }

    private struct Line<Event: Encodable>: Encodable {
        enum Key: String, CodingKey { case kind, number, session }

        var kind: String
        var number: Int
        var session: UUID
        var event: Event

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(kind, forKey: .kind)
            try values.encode(number, forKey: .number)
            try values.encode(session, forKey: .session)
            try event.encode(to: encoder)
        }
    }

    /// A line for each event: its keys in the session's JSON, and `kind`, `number` (from 1) and `session`.
    func lines() throws -> Data {
        try lines("repetition", session.repetitions) + lines("throw", session.throwsMade)
            + lines("pinch", session.pinches) + lines("segment", session.segments)
    }

    private func lines(_ kind: String, _ events: [some Encodable]) throws -> Data {
        try events.enumerated().reduce(into: Data()) { data, event in
            let line = Line(kind: kind, number: event.offset + 1, session: session.id, event: event.element)
            data += try KeptSession.json(line) + Data("\n".utf8)
        }
    }

    private static let columns = [
        "session", "date", "mode", "exercise", "kind", "number", "start", "end", "person", "confidence", "depth",
        "tempo_out", "tempo_hold", "tempo_back", "faults", "type", "speed_mps", "speed_mph", "angle", "landing",
        "score", "hand", "label",
    ]

    /// A row for each event (RFC 4180); a cell that has no meaning for it is empty, faults are divided by semicolons.
    func table() -> String {
        var rows = [Self.columns.joined(separator: ",")]
        for (index, one) in session.repetitions.enumerated() {
            rows.append(
                row(
                    "repetition", index, one.start, one.end,
                    [
                        "person": "\(one.person)", "confidence": text(one.confidence), "depth": text(one.depth),
                        "tempo_out": text(one.tempo?.out), "tempo_hold": text(one.tempo?.hold),
                        "tempo_back": text(one.tempo?.back), "faults": one.faults.map(\.code).joined(separator: ";"),
                    ]))
        }
        for (index, one) in session.throwsMade.enumerated() {
            rows.append(
                row(
                    "throw", index, one.start, one.end,
                    [
                        "type": one.type, "speed_mps": text(one.speedMps), "speed_mph": text(one.speedMph),
                        "angle": text(one.angle), "landing": one.landing, "score": "\(one.score)",
                    ]))
        }
        for (index, one) in session.pinches.enumerated() {
            rows.append(row("pinch", index, one.start, one.end, ["hand": one.hand]))
        }
        for (index, one) in session.segments.enumerated() {
            rows.append(
                row("segment", index, one.start, one.end, ["label": one.label, "confidence": text(one.confidence)]))
        }
        return rows.map { $0 + "\n" }.joined()
    }

    private func row(_ kind: String, _ index: Int, _ start: Double, _ end: Double, _ cells: [String: String]) -> String
    {
        let common = [
            "session": session.id.uuidString, "date": KeptSession.text(session.date),
            "mode": session.mode.rawValue, "exercise": session.exercise ?? "", "kind": kind, "number": "\(index + 1)",
            "start": text(start), "end": text(end),
        ]
        return Self.columns.map { DelimitedText.cell(common[$0] ?? cells[$0] ?? "") }.joined(separator: ",")
    }

    private func text(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        var json = JSONText()
        json.number(value, decimals: 4)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
