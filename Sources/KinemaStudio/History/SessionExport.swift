internal import Foundation
internal import Kinema
internal import KinemaCore

/// Makes a file of a session.
struct SessionExport {
    let session: KeptSession

    /// Throws `.invalidArgument` when the format needs poses and none were kept, or nobody is in them.
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
        }
    }

    /// Mode and time of day: "kinema-coach-20261121-184500".
    private var stem: String {
        let digits = KeptSession.text(session.date).prefix(19).filter(\.isNumber)
        return "kinema-\(session.mode.rawValue)-\(digits.prefix(8))-\(digits.dropFirst(8))"
    }

    private var poses: Data {
        get throws {
            guard let poses = session.poses else {
                throw KinemaError(
                    .invalidArgument, "no poses were kept of this session; they are kept only where asked for",
                    file: session.id.uuidString)
            }
            return poses
        }
    }

    private var frames: [ExportedFrame] {
        get throws { try PoseLinesReader.frames(try poses, file: session.id.uuidString) }
    }
}
