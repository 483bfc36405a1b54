public import Foundation
public import KinemaCore

/// A frame to export: its poses and what formats need besides.
public struct ExportedFrame: Sendable {
    /// The frame's number, from 0.
    public var index: Int
    /// Seconds from the first frame.
    public var time: TimeInterval
    /// The picture's size in pixels, as displayed.
    public var width: Int, height: Int
    /// Everyone in the frame.
    public var poses: [Pose]
    /// The hands in the frame.
    public var hands: [HumanHandPoseObservation]

    /// Makes a frame for export from its number, time in seconds, size in pixels, poses and hands.
    public init(
        index: Int, time: TimeInterval, width: Int, height: Int, poses: [Pose], hands: [HumanHandPoseObservation] = []
    ) {
        self.index = index
        self.time = time
        self.width = width
        self.height = height
        self.poses = poses
        self.hands = hands
    }
}

/// Writes poses in a format for other programs.
public protocol PoseExport: Sendable {
    /// Adds the next frame.
    ///
    /// Formats with one rate throw `.invalidArgument` for a time that is not after the last frame's.
    mutating func add(_ frame: ExportedFrame) throws
    /// Writes the file; the frames added so far make a complete one.
    ///
    /// Throws `.unwritableOutput` when the file cannot be written.
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

    /// Makes an export to `url`; `source` names the origin of the poses.
    ///
    /// `diagnostics` collects what the files cannot show, such as a track in several parts.
    public func makeExport(
        to url: URL, source: String, diagnostics: DiagnosticCollector? = nil
    ) -> any PoseExport {
        switch self {
        case .coco: COCOExport(url: url, source: source)
        case .openpose: OpenPoseExport(folder: url, source: source)
        case .csv: CSVExport(url: url)
        case .trc: TRCExport(url: url, diagnostics: diagnostics)
        case .mot: MOTExport(url: url, diagnostics: diagnostics)
        }
    }
}

/// A finished export in memory, for a server or a command.
package struct ExportedFile: Sendable, Equatable {
    package var name: String
    package var mediaType: String
    package var bytes: Data
    /// What the file cannot show, such as a track in several parts.
    package var notes: [Diagnostic] = []

    package init(name: String, mediaType: String, bytes: Data) {
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// Exports poses, named after `stem`: as one file, or as a zip if the format makes several.
    ///
    /// Throws `.invalidArgument` when the frames hold no people and the format has one file per person.
    package static func poses(
        _ frames: [ExportedFrame], as format: PoseExportFormat, stem: String
    ) throws -> ExportedFile {
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
                "these poses hold nobody with the joints the format needs; nothing can be written as "
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

extension PoseExportFormat {
    package var fileEnding: String {
        switch self {
        case .coco: "coco.json"
        case .openpose: "json"
        case .csv: "csv"
        case .trc: "trc"
        case .mot: "mot"
        }
    }

    /// The extension under which the whole export is offered as one file: an archive where the format is a folder.
    package var downloadEnding: String { self == .openpose ? "openpose.zip" : fileEnding }

    package var mediaType: String {
        switch self {
        case .coco, .openpose: "application/json"
        case .csv: "text/csv"
        case .trc, .mot: "text/tab-separated-values"
        }
    }
}
