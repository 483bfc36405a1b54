import Foundation
import KinemaCore

/// Joint and segment angles over time (MOT): degrees, one file a person, as OpenSim and Sports2D read them.
///
/// Times are even and no cell is empty: `PersonTrack` tells how gaps are filled. `JointAngles` tells names and signs.
struct MOTExport: PoseExport {
    /// From where a person's angles are measured.
    private enum View: String {
        /// As Sports2D does it: exact where somebody is seen from the side, and without meaning elsewhere.
        case picture = "Angles are measured in the picture, since the person is seen from the side."
        case space = "Angles are measured in estimated depth, since the person is not seen from the side."
    }

    private let files: PersonFiles
    private var people = PersonSamples()
    private static let count = JointAngles.names.count

    init(url: URL, diagnostics: DiagnosticCollector? = nil) {
        files = PersonFiles(url: url, diagnostics: diagnostics)
    }

    /// Both views' angles, how far the body is turned to the side, and which way the toes point.
    mutating func add(_ frame: ExportedFrame) throws {
        let (width, height) = (Double(max(1, frame.width)), Double(max(1, frame.height)))
        try people.add(frame) { pose in
            let picture = { (key: JointKey) in
                pose.keypoints[key].map { SIMD2($0.location.x * width, $0.location.y * height) }
            }
            let side = SideView(pose.keypoints3D.mapValues { SIMD3<Double>($0.position) })
            let space = side.map { JointAngles.angles($0.place) } ?? JointAngles.names.map { _ in nil }
            return JointAngles.angles(picture) + space + [side?.sideways, Self.toes(picture)]
        }
    }

    consuming func finish() throws {
        var views: [Int: View] = [:]
        let chosen = people.mapped { id, samples in
            let turns = samples.compactMap { $0.values[2 * Self.count] }.sorted()
            let view: View = turns.dropFirst(turns.count / 2).first ?? 0 > Self.leastTurn ? .picture : .space
            views[id] = view
            return view == .picture ? Self.inPicture(samples) : Self.inSpace(samples)
        }
        try files.write(chosen.unwrapped.tracks(columns: Self.count)) { id, track, _ in
            Self.text(track, views[id] ?? .space)
        }
    }

    /// Within 30 degrees of the exact side the picture is nearer to the truth than the depth (`script/angles`).
    private static let leastTurn = 0.866

    private static func toes(_ place: (JointKey) -> SIMD2<Double>?) -> Double? {
        let ways = [(JointKey.leftFootTip, JointKey.leftHeel), (.rightFootTip, .rightHeel)].compactMap { tip, heel in
            place(tip).flatMap { end in place(heel).map { end.x - $0.x } }
        }
        return ways.isEmpty ? nil : ways.reduce(0, +)
    }

    private static func inSpace(_ samples: [PersonSamples.Sample]) -> [PersonSamples.Sample] {
        samples.map { ($0.time, Array($0.values[count..<(2 * count)])) }
    }

    /// The person's right side is what the angles are told from; who faces the picture's left is turned around.
    private static func inPicture(_ samples: [PersonSamples.Sample]) -> [PersonSamples.Sample] {
        var sums = [0.0]
        for sample in samples { sums.append((sums.last ?? 0) + (sample.values[2 * count + 1] ?? 0)) }
        return samples.enumerated().map { row, sample in
            // Half a second to each side at thirty frames a second: a step does not turn anybody around.
            let (low, high) = (max(0, row - 15), min(samples.count, row + 16))
            let angles = Array(sample.values[..<count])
            return (sample.time, sums[high] - sums[low] < 0 ? JointAngles.mirrored(angles) : angles)
        }
    }

    private static func text(_ track: PersonTrack, _ view: View) -> String {
        let seen = JointAngles.names.indices.filter { track.columns[$0] != nil }
        let (columns, times) = (seen.compactMap { track.columns[$0] }, track.times)
        var lines = [
            "Coordinates", "version=1", "nRows=\(times.count)", "nColumns=\(seen.count + 1)", "inDegrees=yes", "",
            "Units are S.I. units (second, meters, Newtons, ...)",
            "If the header above contains a line with 'inDegrees', this indicates whether rotational values are in "
                + "degrees (yes) or radians (no).",
            view.rawValue, "", "endheader", "time\t" + seen.map { JointAngles.names[$0] }.joined(separator: "\t"),
        ]
        for (row, time) in times.enumerated() {
            let cells = columns.map { String(format: "%.3f", $0[row]) }
            lines.append(String(format: "%.6f\t", time) + cells.joined(separator: "\t"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
