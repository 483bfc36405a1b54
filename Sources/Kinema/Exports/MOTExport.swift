import Foundation
import KinemaCore

/// Joint and segment angles over time (MOT): degrees, one file a person, as OpenSim and Sports2D read them.
///
/// Times are even and no cell is empty: `PersonTrack` tells how gaps are filled. `JointAngles` tells names and signs,
/// `SideView` from where the body is looked at.
struct MOTExport: PoseExport {
    private let files: PersonFiles
    private var people = PersonSamples()

    init(url: URL) {
        files = PersonFiles(url: url)
    }

    mutating func add(_ frame: ExportedFrame) {
        people.add(frame) { pose in
            guard let view = SideView(pose.keypoints3D.mapValues { SIMD3<Double>($0.position) }) else {
                return JointAngles.names.map { _ in nil }
            }
            return JointAngles.angles(view.place)
        }
    }

    consuming func finish() throws {
        try files.write(people.unwrapped.tracks(columns: JointAngles.names.count)) { track, _ in Self.text(track) }
    }

    private static func text(_ track: PersonTrack) -> String {
        let seen = JointAngles.names.indices.filter { track.columns[$0] != nil }
        let columns = seen.compactMap { track.columns[$0] }
        var lines = [
            "Coordinates", "version=1", "nRows=\(track.times.count)", "nColumns=\(seen.count + 1)", "inDegrees=yes", "",
            "Units are S.I. units (second, meters, Newtons, ...)",
            "If the header above contains a line with 'inDegrees', this indicates whether rotational values are in "
                + "degrees (yes) or radians (no).",
            "", "endheader", "time\t" + seen.map { JointAngles.names[$0] }.joined(separator: "\t"),
        ]
        for (row, time) in track.times.enumerated() {
            let cells = columns.map { String(format: "%.3f", $0[row]) }
            lines.append(String(format: "%.6f\t", time) + cells.joined(separator: "\t"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
