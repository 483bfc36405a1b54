import Foundation
import Kinema
import KinemaCore

/// The formats that a stored session is exported in.
package enum SessionFormat: String, Sendable, CaseIterable {
    /// The session as Documentation/studio.md lays it out.
    case json
    /// One line for each repetition, hold, throw, pinch and segment, and for each correction and mark.
    case jsonl
    /// The same as a table.
    case csv
    /// A chart of it.
    case svg, png
    /// The stored poses as Kinema's own lines and table.
    case poseLines = "poses.jsonl", poseTable = "poses.csv"
    /// The stored poses for other programs.
    case trc, mot, coco = "coco.json", openpose = "openpose.zip"
    /// What was corrected or marked, as a table for `kinema evaluate count` or `kinema train`; the tables with the poses.
    case labels = "labels.csv", labelArchive = "labels.zip"

    /// Takes the names above, and `coco` and `openpose` alone.
    package init?(argument: String) {
        switch argument.lowercased() {
        case "coco": self = .coco
        case "openpose": self = .openpose
        case let name:
            guard let format = Self(rawValue: name) else { return nil }
            self = format
        }
    }
}

/// Makes a file of a session.
struct SessionExport {
    let session: StoredSession

    /// Throws `.invalidArgument` when the format needs poses and none are stored, or nobody is in them.
    func file(_ format: SessionFormat) throws -> ExportedFile {
        switch format {
        case .json:
            return ExportedFile(
                name: "\(stem).json", mediaType: "application/json", bytes: try session.json() + Data("\n".utf8))
        case .jsonl:
            return ExportedFile(
                name: "\(stem).jsonl", mediaType: "application/jsonl", bytes: try SessionEvents(session).lines())
        case .csv:
            return ExportedFile(
                name: "\(stem).csv", mediaType: "text/csv", bytes: Data(SessionEvents(session).table().utf8))
        case .svg:
            return ExportedFile(
                name: "\(stem).svg", mediaType: "image/svg+xml", bytes: try SessionChart(session).svg())
        case .png:
            return ExportedFile(name: "\(stem).png", mediaType: "image/png", bytes: try SessionChart(session).png())
        case .poseLines:
            return ExportedFile(name: "\(stem).poses.jsonl", mediaType: "application/jsonl", bytes: try poses)
        case .poseTable: return try ExportedFile.poses(frames, as: .csv, stem: "\(stem).poses")
        case .trc: return try ExportedFile.poses(frames, as: .trc, stem: stem)
        case .mot: return try ExportedFile.poses(frames, as: .mot, stem: stem)
        case .coco: return try ExportedFile.poses(frames, as: .coco, stem: stem)
        case .openpose: return try ExportedFile.poses(frames, as: .openpose, stem: stem)
        case .labels:
            return ExportedFile(
                name: "\(stem).labels.csv", mediaType: "text/csv", bytes: try LabelExport([session]).table())
        case .labelArchive: return try labelArchive()
        }
    }

    private func labelArchive() throws -> ExportedFile {
        guard LabelExport.isLabelled(session) else { throw LabelExport.nothing(session) }
        let (lines, export) = (try poses, LabelExport([session]))
        var zip = ZipArchive()
        for (name, content) in export.tables { try zip.add(Array(content), name: name) }
        for (_, name) in export.files { try zip.add(Array(lines), name: name) }
        return ExportedFile(name: "\(stem).labels.zip", mediaType: "application/zip", bytes: Data(zip.finish()))
    }

    private var stem: String { Self.stem(session) }

    /// Mode and time of day: "kinema-coach-20261121-184500".
    static func stem(_ session: StoredSession) -> String {
        let digits = StoredSession.text(session.date).prefix(19).filter(\.isNumber)
        return "kinema-\(session.mode.rawValue)-\(digits.prefix(8))-\(digits.dropFirst(8))"
    }

    private var poses: Data {
        get throws {
            guard let poses = session.poses else {
                throw KinemaError(
                    .invalidArgument, "no poses are stored with this session; they are stored only when asked for",
                    file: session.id.uuidString)
            }
            return poses
        }
    }

    private var frames: [ExportedFrame] {
        get throws { try PoseLinesReader.frames(try poses, file: session.id.uuidString) }
    }
}

/// The events of a session as lines and as a table.
struct SessionEvents {
    private let session: StoredSession

    init(_ session: StoredSession) {
        self.session = session
    }

    /// An event under its name, as in the command's JSON Lines, with the session beside it.
    private struct Line<Event: Encodable>: Encodable {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }

            init(_ name: String) { stringValue = name }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        var name: String
        var session: UUID
        var event: Event

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(event, forKey: Key(name))
            try values.encode(session, forKey: Key("session"))
        }
    }

    /// A line for each event.
    func lines() throws -> Data {
        try lines("repetition", session.repetitions) + lines("hold", session.holds)
            + lines("throw", session.throwsMade) + lines("pinch", session.pinches)
            + lines("segment", session.segments) + lines("correction", session.corrections ?? [])
            + lines("mark", session.marks)
    }

    private func lines(_ name: String, _ events: [some Encodable]) throws -> Data {
        try events.reduce(into: Data()) { data, event in
            data += try StoredSession.json(Line(name: name, session: session.id, event: event)) + Data("\n".utf8)
        }
    }

    private static let columns = [
        "session", "date", "mode", "exercise", "kind", "number", "start", "end", "id", "confidence", "depth",
        "eccentric", "pause", "concentric", "faults", "type", "speed_mps", "speed_mph", "angle", "landing", "score",
        "hand", "label", "distance_m", "distance_ft", "counted", "corrected",
    ]

    /// A row for each event (RFC 4180); a cell that has no meaning for it is empty, faults are divided by semicolons.
    func table() -> String {
        var rows = [Self.columns.joined(separator: ",")]
        let isSeen = session.isSeen
        for (index, one) in session.repetitions.enumerated() {
            // What was reported of a repetition that was not seen in part is no measurement.
            let (depth, tempo) = isSeen[index] ? (one.depth, one.tempo) : (nil, nil)
            rows.append(
                row(
                    "repetition", index, one.start, one.end,
                    [
                        "id": "\(one.id)", "confidence": text(one.confidence), "depth": text(depth),
                        "eccentric": text(tempo?.eccentric), "pause": text(tempo?.pause),
                        "concentric": text(tempo?.concentric), "faults": text(one.faults),
                    ]))
        }
        for (index, one) in session.holds.enumerated() {
            rows.append(row("hold", index, one.start, one.end, ["id": "\(one.id)", "faults": text(one.faults)]))
        }
        for (index, one) in session.throwsMade.enumerated() {
            rows.append(
                row(
                    "throw", index, one.start, one.end,
                    [
                        "type": one.type, "speed_mps": text(one.speedMps), "speed_mph": text(one.speedMph),
                        "angle": text(one.angle), "landing": one.landing, "score": "\(one.score)",
                        "confidence": text(one.typeConfidence), "distance_m": text(one.distanceM),
                        "distance_ft": text(one.distanceFt),
                    ]))
        }
        for (index, one) in session.pinches.enumerated() {
            rows.append(row("pinch", index, one.start, one.end, ["hand": one.hand ?? ""]))
        }
        for (index, one) in session.segments.enumerated() {
            rows.append(
                row(
                    "segment", index, one.start, one.end,
                    ["label": one.label ?? "", "confidence": text(one.confidence)]))
        }
        for (index, one) in (session.corrections ?? []).enumerated() {
            rows.append(row("correction", index, one.start, one.end, ["id": "\(one.id)"]))
        }
        for (index, one) in session.marks.enumerated() {
            rows.append(
                row("mark", index, one.start, one.end, ["id": one.id.map { "\($0)" } ?? "", "label": one.label]))
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
        var json = JSONText()
        json.number(value, decimals: 4)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
