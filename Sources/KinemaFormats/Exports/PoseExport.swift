public import Foundation
public import KinemaCore

/// Writes poses in a format for other programs.
public protocol PoseExport: Sendable {
    /// Adds the next frame; formats with one rate throw `.invalidArgument` for a time that does not increase.
    mutating func add(_ frame: ExportedFrame) throws
    /// Writes a complete file of the frames so far; throws `.unwritableOutput` when it cannot be written.
    consuming func finish() throws
}

/// The export formats, by their names on the command line.
public enum PoseExportFormat: String, Sendable, CaseIterable, Codable {
    /// COCO keypoints: one JSON file.
    case coco
    /// OpenPose BODY_25: a folder with one JSON file per frame.
    case openpose
    /// A table with one row per person and frame.
    case csv
    /// Motion-capture markers in metres (OpenSim, Sports2D): one file per person.
    case trc
    /// Joint angles in degrees (OpenSim, Sports2D): one file per person.
    case mot

    /// Makes an export to `url` from poses of `source`; `diagnostics` receives a finding for content that the files
    /// cannot represent.
    public func makeExport(to url: URL, source: String, diagnostics: DiagnosticCollector? = nil) -> any PoseExport {
        switch self {
        case .coco: COCOExport(url: url, source: source)
        case .openpose: OpenPoseExport(folder: url, source: source)
        case .csv: CSVExport(url: url)
        case .trc: TRCExport(url: url, diagnostics: diagnostics)
        case .mot: MOTExport(url: url, diagnostics: diagnostics)
        }
    }
}

extension PoseExportFormat {
    package var fileEnding: String {
        switch self {
        case .coco: "coco.json"
        case .openpose: "json"
        case .csv, .trc, .mot: rawValue
        }
    }

    /// The extension of the download: an archive where the format is a folder.
    package var downloadEnding: String { self == .openpose ? "openpose.zip" : fileEnding }

    package var mediaType: String {
        switch self {
        case .coco, .openpose: "application/json"
        case .csv: "text/csv"
        case .trc, .mot: "text/tab-separated-values"
        }
    }
}

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

/// A frame to export: its poses, time and size.
public struct ExportedFrame: Sendable {
    /// The frame's number, from 0.
    package var index: Int
    /// Seconds from the first frame.
    package var time: TimeInterval
    /// The frame's size in pixels, as displayed.
    package var width: Int, height: Int
    /// Everyone in the frame.
    package var poses: [Pose]
    /// The hands in the frame.
    package var hands: [HumanHandPoseObservation]

    /// Creates a frame for export from its number, time in seconds, size in pixels, poses and hands.
    public init(
        index: Int, time: TimeInterval, width: Int, height: Int, poses: [Pose], hands: [HumanHandPoseObservation] = []
    ) {
        (self.index, self.time, self.width, self.height) = (index, time, width, height)
        (self.poses, self.hands) = (poses, hands)
    }
}

/// Files with one person each; with several, the names contain the number of the person and of the part.
struct PersonFiles {
    let url: URL
    var diagnostics: DiagnosticCollector?

    /// Writes one file per track, all or none; `text` makes its content from person, track and file name.
    func write(
        _ people: [(id: Int, tracks: [ResampledTrack])], text: (Int, ResampledTrack, String) -> String
    ) throws {
        var written: [URL] = []
        let stem = url.deletingPathExtension().lastPathComponent
        for (id, tracks) in people {
            let person = people.count == 1 ? stem : "\(stem)_person\(id)"
            for (part, track) in tracks.enumerated() {
                let name = tracks.count == 1 ? person : "\(person)_part\(part + 1)"
                let file =
                    name == stem ? url : url.deletingLastPathComponent().appending(path: "\(name).\(url.pathExtension)")
                do {
                    try AtomicFile.write(Array(text(id, track, file.lastPathComponent).utf8), to: file)
                } catch {
                    AtomicFile.remove(written)
                    throw error
                }
                written.append(file)
            }
            if tracks.count > 1 {
                let away =
                    zip(tracks, tracks.dropFirst()).map { ($1.times.first ?? 0) - ($0.times.last ?? 0) }.max() ?? 0
                diagnostics?.report(
                    Diagnostic(
                        "export.parts",
                        "person \(id) was away for up to \(String(format: "%.0f", away)) s, so the track is split into "
                            + "\(tracks.count) files from \(person)_part1.\(url.pathExtension) on", file: url.path))
            }
        }
    }
}
