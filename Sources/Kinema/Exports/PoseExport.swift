public import Foundation
public import KinemaCore

/// Where a frame comes from: what every export needs beside the poses.
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

/// Writes poses in a format that other programs read.
public protocol PoseExport: Sendable {
    /// Takes the next frame.
    ///
    /// Formats with one rate throw `.invalidArgument` for a time that is not after the last frame's.
    mutating func add(_ frame: ExportedFrame) throws
    /// Writes everything; frames taken so far make a complete file.
    ///
    /// Throws `.unwritableOutput` when the file cannot be written.
    consuming func finish() throws
}

/// The formats by their names on the command line.
public enum PoseExportFormat: String, Sendable, CaseIterable, Codable {
    /// COCO keypoints: one JSON file.
    case coco
    /// OpenPose BODY_25: a folder with one JSON file a frame.
    case openpose
    /// A table, one row a person and frame.
    case csv
    /// Motion-capture markers in metres (OpenSim, Sports2D): one file a person.
    case trc
    /// Joint angles in degrees (OpenSim, Sports2D): one file a person.
    case mot

    /// An export that will write to `url`; `source` names where the poses come from.
    ///
    /// The collector learns what the files cannot show, such as a track in several parts.
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
