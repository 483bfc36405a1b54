import Foundation
import Kinema

struct SessionExport {
    let session: StoredSession

    /// Throws `.invalidArgument` if the format needs poses and none are stored, or no person is in them.
    func file(_ format: SessionFormat) throws -> ExportedFile {
        func file(_ ending: String, _ type: String, _ bytes: Data) -> ExportedFile {
            ExportedFile(name: "\(stem).\(ending)", mediaType: type, bytes: bytes)
        }
        switch format {
        case .json: return file("json", "application/json", try session.json() + Data("\n".utf8))
        case .jsonl: return file("jsonl", "application/jsonl", try SessionEvents(session: session).lines())
        case .csv: return file("csv", "text/csv", Data(SessionEvents(session: session).table().utf8))
        case .svg: return file("svg", "image/svg+xml", try SessionChart(session).svg())
        case .png: return file("png", "image/png", try SessionChart(session).png())
        case .poseLines: return file("poses.jsonl", "application/jsonl", try poses)
        case .poseTable: return try ExportedFile.poses(frames, as: .csv, stem: "\(stem).poses")
        case .trc: return try ExportedFile.poses(frames, as: .trc, stem: stem)
        case .mot: return try ExportedFile.poses(frames, as: .mot, stem: stem)
        case .coco: return try ExportedFile.poses(frames, as: .coco, stem: stem)
        case .openpose: return try ExportedFile.poses(frames, as: .openpose, stem: stem)
        case .labels: return file("labels.csv", "text/csv", try LabelExport([session]).table())
        case .labelArchive: return file("labels.zip", "application/zip", try labelArchive())
        }
    }

    private func labelArchive() throws -> Data {
        guard LabelExport.isLabelled(session) else { throw LabelExport.nothing(session) }
        let (lines, export) = (try poses, LabelExport([session]))
        var zip = ZipArchive()
        for (name, content) in export.tables { try zip.add(Array(content), name: name) }
        for (_, name) in export.files { try zip.add(Array(lines), name: name) }
        return Data(zip.finish())
    }

    private var stem: String { Self.stem(session) }

    static func stem(_ session: StoredSession) -> String {
        let digits = StoredSession.text(session.date).prefix(19).filter(\.isNumber)
        return "kinema-\(session.mode.rawValue)-\(digits.prefix(8))-\(digits.dropFirst(8))"
    }

    private var poses: Data {
        get throws {
            guard let poses = session.poses else {
                throw KinemaError(
                    .invalidArgument, "no poses are stored with this session; they are stored only on request",
                    file: session.id.uuidString)
            }
            return poses
        }
    }

    private var frames: [ExportedFrame] {
        get throws { try PoseLinesReader.frames(try poses, file: session.id.uuidString) }
    }
}
