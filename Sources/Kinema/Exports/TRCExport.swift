import Foundation
import KinemaCore

/// Motion-capture markers (TRC): metres, y up, one file a person, as OpenSim and Sports2D read them.
///
/// Positions are the model's own metres around the middle of the hips; a moment without the person is an empty cell.
struct TRCExport: PoseExport {
    private static let markers: [(name: String, key: JointKey)] = [
        ("Nose", .nose), ("Neck", .neck), ("RShoulder", .rightShoulder), ("RElbow", .rightElbow),
        ("RWrist", .rightWrist), ("LShoulder", .leftShoulder), ("LElbow", .leftElbow), ("LWrist", .leftWrist),
        ("Hip", .root), ("RHip", .rightHip), ("RKnee", .rightKnee), ("RAnkle", .rightAnkle),
        ("RHeel", .rightHeel), ("RBigToe", .rightFootTip), ("LHip", .leftHip), ("LKnee", .leftKnee),
        ("LAnkle", .leftAnkle), ("LHeel", .leftHeel), ("LBigToe", .leftFootTip),
    ]

    let url: URL
    private var times: [TimeInterval] = []
    private var people: [Int: [Int: [JointKey: JointPoint3D]]] = [:]

    init(url: URL) {
        self.url = url
    }

    mutating func add(_ frame: ExportedFrame) {
        for pose in frame.poses { people[pose.id ?? 0, default: [:]][times.count] = pose.keypoints3D }
        times.append(frame.time)
    }

    consuming func finish() throws {
        for (id, frames) in people {
            // One person has the name asked for; several have their number in it.
            let stem = url.deletingPathExtension().lastPathComponent
            let numbered = url.deletingLastPathComponent().appending(path: "\(stem)_person\(id).trc")
            let file = people.count == 1 ? url : numbered
            try WholeFile.write(Array(text(frames, name: file.lastPathComponent).utf8), to: file)
        }
    }

    private func text(_ frames: [Int: [JointKey: JointPoint3D]], name: String) -> String {
        let span = (times.last ?? 0) - (times.first ?? 0)
        let rate = span > 0 ? String(format: "%.3f", Double(times.count - 1) / span) : "1"
        let names = Self.markers.map { "\($0.name)\t\t\t" }.joined().dropLast(2)
        let axes = Self.markers.indices.map { "X\($0 + 1)\tY\($0 + 1)\tZ\($0 + 1)" }.joined(separator: "\t")
        var lines = [
            "PathFileType\t4\t(X/Y/Z)\t\(name)",
            "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
            "\(rate)\t\(rate)\t\(times.count)\t\(Self.markers.count)\tm\t\(rate)\t1\t\(times.count)",
            "Frame#\tTime\t\(names)",
            "\t\t\(axes)",
        ]
        for (index, time) in times.enumerated() {
            let cells = Self.markers.map { marker -> String in
                guard let p = frames[index]?[marker.key]?.position, p.x.isFinite, p.y.isFinite, p.z.isFinite else {
                    return "\t\t"
                }
                return String(format: "%.5f\t%.5f\t%.5f", p.x, p.y, p.z)
            }
            lines.append("\(index + 1)\t\(String(format: "%.5f", time))\t\(cells.joined(separator: "\t"))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
