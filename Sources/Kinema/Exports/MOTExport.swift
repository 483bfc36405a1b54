import Foundation
import KinemaCore
import KinemaMotion

/// Joint and segment angles over time (MOT): degrees, one file per person, as OpenSim and Sports2D read them.
///
/// Times are evenly spaced and gaps are filled (`ResampledTrack`); `JointAngles` defines names and signs.
struct MOTExport: PoseExport {
    enum View: String {
        /// As in Sports2D: exact for a person seen from the side, meaningless otherwise.
        case picture = "Angles are measured in the image, since the person is seen from the side."
        case front = "Angles are measured in the image, since the person is seen from the front."
        case space = "Angles are measured in estimated depth, since the person is not seen from the side."
    }

    private let files: PersonFiles
    private var people = PersonSamples()
    private static let count = JointAngles.names.count

    init(url: URL, diagnostics: DiagnosticCollector? = nil) {
        files = PersonFiles(url: url, diagnostics: diagnostics)
    }

    /// Adds the angles of both views, the sideways turn of the body, and the direction of the toes.
    mutating func add(_ frame: ExportedFrame) throws {
        let (width, height) = (Double(max(1, frame.width)), Double(max(1, frame.height)))
        try people.add(frame) { pose in
            let picture = { (key: JointKey) in
                pose.keypoints[key].map { SIMD2($0.location.x * width, $0.location.y * height) }
            }
            let side = SideView(pose.keypoints3D.mapValues { SIMD3<Double>($0.position) })
            let space = side.map { JointAngles.angles($0.position(of:)) } ?? JointAngles.names.map { _ in nil }
            return JointAngles.angles(picture) + space + [side?.sideways, JointAngles.toeDirection(picture)]
        }
    }

    consuming func finish() throws {
        var views: [Int: View] = [:]
        let chosen = people.mapped { id, samples in
            let sideways = samples.compactMap { $0.values[2 * Self.count] }.sorted()
            let view: View =
                sideways.dropFirst(sideways.count / 2).first ?? 0 > Self.minimumSideways ? .picture : .space
            views[id] = view
            guard view == .picture else {
                return samples.map { ($0.time, Array($0.values[Self.count..<(2 * Self.count)])) }
            }
            // Angles are measured from the person's right side, so those of a person facing left are mirrored.
            let facesLeft = JointAngles.facesLeft(samples.map { $0.values[2 * Self.count + 1] })
            return zip(samples, facesLeft).map { sample, isLeft in
                let angles = Array(sample.values[..<Self.count])
                return (sample.time, isLeft ? JointAngles.mirrored(angles) : angles)
            }
        }
        try Self.write(chosen, files) { views[$0] ?? .space }
    }

    /// Writes everyone's angles, in the order of `JointAngles.names`; `view` is that of each person by number.
    static func write(_ people: PersonSamples, _ files: PersonFiles, view: (Int) -> View) throws {
        try files.write(people.unwrapped.tracks(columns: count)) { id, track, _ in text(track, view(id)) }
    }

    /// Within 30 degrees of the side view, the picture is more accurate than the depth (`script/angles`).
    private static let minimumSideways = 0.866

    private static func text(_ track: ResampledTrack, _ view: View) -> String {
        let visible = JointAngles.names.indices.filter { track.columns[$0] != nil }
        let (columns, times) = (visible.compactMap { track.columns[$0] }, track.times)
        var lines = [
            "Coordinates", "version=1", "nRows=\(times.count)", "nColumns=\(visible.count + 1)", "inDegrees=yes", "",
            "Units are S.I. units (second, meters, Newtons, ...)",
            "If the header above contains a line with 'inDegrees', this indicates whether rotational values are in "
                + "degrees (yes) or radians (no).",
            view.rawValue, "", "endheader", "time\t" + visible.map { JointAngles.names[$0] }.joined(separator: "\t"),
        ]
        for (row, time) in times.enumerated() {
            let cells = columns.map { String(format: "%.3f", $0[row]) }
            lines.append(String(format: "%.6f\t", time) + cells.joined(separator: "\t"))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
