import Foundation
package import KinemaCore

package struct ExportedFile: Sendable, Equatable {
    package var name, mediaType: String
    package var bytes: Data
    /// Content that the file cannot represent, such as a track in several parts.
    package var notes: [Diagnostic] = []

    package init(name: String, mediaType: String, bytes: Data) {
        (self.name, self.mediaType, self.bytes) = (name, mediaType, bytes)
    }

    /// The bytes of a file's stem: the numbers of person, part and frame, the ending and a temporary suffix follow, and
    /// file systems take 255.
    private static let stemBytes = 150

    /// Exports poses, named after `stem`, which is cut if it is long: as one file, or as a zip if the format makes several.
    ///
    /// Throws `.invalidArgument` without people if the format has one file per person.
    package static func poses(
        _ frames: [ExportedFrame], as format: PoseExportFormat, stem: String
    ) throws -> ExportedFile {
        let stem = PlainText.prefix(stem, bytes: stemBytes)
        let folder = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        // OpenPose's files are in a folder, in the archive too.
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
                "these poses contain no person with the joints the format needs; nothing can be written as "
                    + format.rawValue)
        }
        if files.count == 1, format != .openpose {
            let bytes = try Data(contentsOf: first.url)
            return ExportedFile(name: "\(stem).\(format.fileEnding)", mediaType: format.mediaType, bytes: bytes)
        }
        var zip = ZipArchive()
        for file in files { try zip.add(Array(try Data(contentsOf: file.url)), name: file.name) }
        var all = ExportedFile(
            name: "\(stem).\(format.rawValue).zip", mediaType: "application/zip", bytes: Data(zip.finish()))
        // The temporary folder is gone, so findings name the archive.
        all.notes = diagnostics.diagnostics.map { Diagnostic($0.code, $0.message, file: all.name) }
        return all
    }
}
