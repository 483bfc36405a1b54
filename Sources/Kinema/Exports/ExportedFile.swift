package import Foundation
import KinemaCore

/// A finished export in memory, as a server hands it out or a command writes it.
package struct ExportedFile: Sendable, Equatable {
    /// The file's name, without a folder.
    package var name: String
    /// What it is, as HTTP's Content-Type says it.
    package var mediaType: String
    package var bytes: Data
    /// What the file cannot show, such as a track in several parts.
    package var notes: [Diagnostic] = []

    /// Makes a file from its name, its media type and what is in it.
    package init(name: String, mediaType: String, bytes: Data) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// Poses in the format of another program, named after `stem`: one file, or a zip where the format makes several.
    ///
    /// Throws `.invalidArgument` when nobody is in the frames and the format has a file a person.
    package static func poses(
        _ frames: [ExportedFrame], as format: PoseExportFormat, stem: String
    ) throws -> ExportedFile {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        // OpenPose's files lie in a folder, and so do they in the archive.
        let target = folder.appending(path: format == .openpose ? stem : "\(stem).\(format.fileEnding)")
        let diagnostics = DiagnosticCollector()
        var export = format.makeExport(to: target, source: stem, diagnostics: diagnostics)
        for frame in frames { try export.add(frame) }
        try export.finish()
        let names = (FileManager.default.subpaths(atPath: folder.path) ?? []).sorted()
        let files = try names.map { (name: $0, url: folder.appending(path: $0)) }.filter {
            try $0.url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }
        guard let first = files.first else {
            throw KinemaError(
                .invalidArgument,
                "nobody is in these poses with what the format needs; nothing can be written as \(format.rawValue)")
        }
        if files.count == 1, format != .openpose {
            let bytes = try Data(contentsOf: first.url)
            return ExportedFile(name: "\(stem).\(format.fileEnding)", mediaType: format.mediaType, bytes: bytes)
        }
        var zip = ZipArchive()
        for file in files { try zip.add(Array(try Data(contentsOf: file.url)), name: file.name) }
        var all = ExportedFile(
            name: "\(stem).\(format.rawValue).zip", mediaType: "application/zip", bytes: Data(zip.finish()))
        // The folder they were made in is gone.
        all.notes = diagnostics.diagnostics.map { Diagnostic($0.code, $0.message, file: all.name) }
        return all
    }
}

extension PoseExportFormat {
    /// The ending of the format's files.
    package var fileEnding: String {
        switch self {
        case .coco: "coco.json"
        case .openpose: "json"
        case .csv: "csv"
        case .trc: "trc"
        case .mot: "mot"
        }
    }

    /// What the format is, as HTTP's Content-Type says it.
    package var mediaType: String {
        switch self {
        case .coco, .openpose: "application/json"
        case .csv: "text/csv"
        case .trc, .mot: "text/tab-separated-values"
        }
    }
}
