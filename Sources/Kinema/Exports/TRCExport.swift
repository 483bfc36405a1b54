import Foundation
import KinemaCore

/// Motion-capture markers (TRC): metres, y up, one file per person, as OpenSim and Sports2D read them.
///
/// Positions are relative to the midpoint of the hips. Times are evenly spaced and gaps are filled (`ResampledTrack`).
struct TRCExport: PoseExport {
    private static let markers: [(name: String, key: JointKey)] = [
        ("Nose", .nose), ("Neck", .neck), ("RShoulder", .rightShoulder), ("RElbow", .rightElbow),
        ("RWrist", .rightWrist), ("LShoulder", .leftShoulder), ("LElbow", .leftElbow), ("LWrist", .leftWrist),
        ("Hip", .root), ("RHip", .rightHip), ("RKnee", .rightKnee), ("RAnkle", .rightAnkle),
        ("RHeel", .rightHeel), ("RBigToe", .rightFootTip), ("LHip", .leftHip), ("LKnee", .leftKnee),
        ("LAnkle", .leftAnkle), ("LHeel", .leftHeel), ("LBigToe", .leftFootTip),
    ]

    private let files: PersonFiles
    private var people = PersonSamples()

    init(url: URL, diagnostics: DiagnosticCollector? = nil) {
        files = PersonFiles(url: url, diagnostics: diagnostics)
    }

    mutating func add(_ frame: ExportedFrame) throws {
        try people.add(frame) { pose in
            Self.markers.flatMap { marker -> [Double?] in
                let position = pose.keypoints3D[marker.key]?.position
                return (0..<3).map { axis in position.map { Double($0[axis]) } }
            }
        }
    }

    consuming func finish() throws {
        let (clock, files) = (people.clock, files)
        try files.write(people.tracks(columns: Self.markers.count * 3)) { _, track, name in
            Self.text(track, name: name, clock: clock)
        }
    }

    private static func text(_ track: ResampledTrack, name: String, clock: ExportClock) -> String {
        let visible = markers.indices.filter { track.columns[3 * $0] != nil }
        let (rate, times) = (clock.text, track.times)
        let rows = times.count
        var lines = [
            "PathFileType\t4\t(X/Y/Z)\t\(name)",
            "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
            "\(rate)\t\(rate)\t\(rows)\t\(visible.count)\tm\t\(rate)\t1\t\(rows)",
            "Frame#\tTime\t" + visible.map { "\(markers[$0].name)\t\t\t" }.joined().dropLast(2),
            "\t\t" + visible.indices.map { "X\($0 + 1)\tY\($0 + 1)\tZ\($0 + 1)" }.joined(separator: "\t"),
        ]
        let columns = visible.flatMap { track.columns[(3 * $0)..<(3 * $0 + 3)].compactMap(\.self) }
        for (row, time) in times.enumerated() {
            let cells = columns.map { String(format: "%.5f", $0[row]) }
            lines.append("\(row + 1)\t\(String(format: "%.6f", time))\t" + cells.joined(separator: "\t"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
