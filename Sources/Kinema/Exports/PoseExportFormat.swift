public import Foundation
public import KinemaCore

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
