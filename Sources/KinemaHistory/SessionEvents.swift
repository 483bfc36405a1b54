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
        "hand", "label", "distance_m", "distance_ft", "joint", "range_degrees", "symmetry", "peak_degrees_per_second",
        "counted", "corrected",
    ]

    /// A row for each event (RFC 4180); faults are separated by semicolons.
    func table() -> String {
        let isSeen = session.isSeen
        var table = Self.columns.joined(separator: ",") + "\n"
        table += rows("repetition", session.repetitions, \.start, \.end) { index, one in
            // Measures of a repetition that was not seen completely are not reported.
            let (depth, tempo) = isSeen[index] ? (one.depth, one.tempo) : (nil, nil)
            let own = [
                "id": "\(one.id)", "confidence": text(one.confidence), "depth": text(depth),
                "eccentric": text(tempo?.eccentric), "pause": text(tempo?.pause),
                "concentric": text(tempo?.concentric), "faults": text(one.faults),
            ]
            return own.merging(measured(one.id, one.start, one.end)) { own, _ in own }
        }
        table += rows("hold", session.holds, \.start, \.end) { ["id": "\($1.id)", "faults": text($1.faults)] }
        table += rows("throw", session.throwsMade, \.start, \.end) { _, one in
            [
                "type": one.type, "speed_mps": text(one.speedMps), "speed_mph": text(one.speedMph),
                "angle": text(one.angle), "landing": one.landing, "score": "\(one.score)",
                "confidence": text(one.typeConfidence), "distance_m": text(one.distanceM),
                "distance_ft": text(one.distanceFt),
            ]
        }
        table += rows("pinch", session.pinches, \.start, \.end) { ["hand": $1.hand ?? ""] }
        table += rows("segment", session.segments, \.start, \.end) {
            ["label": $1.label ?? "", "confidence": text($1.confidence)]
        }
        table += rows("correction", session.corrections ?? [], \.start, \.end) { _, one in
            measured(one.id, one.start, one.end).merging(["id": "\(one.id)"]) { own, _ in own }
        }
        return table
            + rows("mark", session.marks, \.start, \.end) { _, one in
                ["id": one.id.map { "\($0)" } ?? "", "label": one.label]
            }
    }

    /// What was measured in a repetition with these times.
    private func measured(_ id: Int, _ start: Double, _ end: Double) -> [String: String] {
        let found = session.measured?.repetitions.first { one in
            one.id == id && abs(one.start - start) < 0.01 && abs(one.end - end) < 0.01
        }
        guard let found, found.isUnseen != true else { return [:] }
        return [
            "joint": found.joint, "range_degrees": text(found.range), "symmetry": text(found.symmetry),
            "peak_degrees_per_second": text(found.peak),
        ]
    }

    private func rows<Event>(
        _ kind: String, _ events: [Event], _ start: KeyPath<Event, Double>, _ end: KeyPath<Event, Double>,
        _ cells: (_ index: Int, _ event: Event) -> [String: String]
    ) -> String {
        DelimitedText.table(
            events.enumerated().map { index, event in
                let common = [
                    "session": session.id.uuidString, "date": StoredSession.text(session.date),
                    "mode": session.mode.rawValue, "exercise": session.exercise ?? "", "kind": kind,
                    "number": "\(index + 1)", "start": text(event[keyPath: start]), "end": text(event[keyPath: end]),
                    "counted": "\(session.count)", "corrected": session.corrections.map { "\($0.count)" } ?? "",
                ]
                let own = cells(index, event)
                return Self.columns.map { common[$0] ?? own[$0] ?? "" }
            })
    }

    private func text(_ faults: [FaultResult]) -> String { faults.map(\.code).joined(separator: ";") }

    private func text(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "" }
        return LabelExport.text(value)
    }
}
