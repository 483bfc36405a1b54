import Foundation
import KinemaCore

/// Joint and segment angles over time (MOT): degrees, one file per person, as OpenSim and Sports2D read them.
///
/// Times are evenly spaced and gaps are filled (`ResampledTrack`); `JointAngles` defines names and signs.
struct MOTExport: PoseExport {
    private enum View: String {
        /// As in Sports2D: exact for a person seen from the side, meaningless otherwise.
        case picture = "Angles are measured in the image, since the person is seen from the side."
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
            return JointAngles.angles(picture) + space + [side?.sideways, Self.toeDirection(picture)]
        }
    }

    consuming func finish() throws {
        var views: [Int: View] = [:]
        let chosen = people.mapped { id, samples in
            let sideways = samples.compactMap { $0.values[2 * Self.count] }.sorted()
            let view: View =
                sideways.dropFirst(sideways.count / 2).first ?? 0 > Self.minimumSideways ? .picture : .space
            views[id] = view
            return view == .picture ? Self.inPicture(samples) : Self.inSpace(samples)
        }
        try files.write(chosen.unwrapped.tracks(columns: Self.count)) { id, track, _ in
            Self.text(track, views[id] ?? .space)
        }
    }

    /// Within 30 degrees of the side view, the picture is more accurate than the depth (`script/angles`).
    private static let minimumSideways = 0.866

    /// The sum of the horizontal directions of both feet; positive towards the picture's right.
    private static func toeDirection(_ position: (JointKey) -> SIMD2<Double>?) -> Double? {
        let feet = [(JointKey.leftFootTip, JointKey.leftHeel), (.rightFootTip, .rightHeel)].compactMap { tip, heel in
            position(tip).flatMap { end in position(heel).map { end.x - $0.x } }
        }
        return feet.isEmpty ? nil : feet.reduce(0, +)
    }

    private static func inSpace(_ samples: [PersonSamples.Sample]) -> [PersonSamples.Sample] {
        samples.map { ($0.time, Array($0.values[count..<(2 * count)])) }
    }

    /// Angles are measured from the person's right side, so those of a person facing the picture's left are mirrored.
    private static func inPicture(_ samples: [PersonSamples.Sample]) -> [PersonSamples.Sample] {
        var sums = [0.0]
        for sample in samples { sums.append((sums.last ?? 0) + (sample.values[2 * count + 1] ?? 0)) }
        return samples.enumerated().map { row, sample in
            // Half a second to each side at 30 frames a second, so that a single step does not mirror anyone.
            let (low, high) = (max(0, row - 15), min(samples.count, row + 16))
            let angles = Array(sample.values[..<count])
            return (sample.time, sums[high] - sums[low] < 0 ? JointAngles.mirrored(angles) : angles)
        }
    }

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

/// A body in space seen from its own right side: x forward, y up, whichever direction it faces.
struct SideView {
    /// The sideways turn of the body: 0 facing the camera or away from it, 1 in the exact side view.
    let sideways: Double
    private let joints: [JointKey: SIMD3<Double>]
    private let forward: SIMD3<Double>
    private let up: SIMD3<Double>

    /// Takes joints with x to the picture's right, y up, z towards the camera. Nil without both hips and shoulders, and
    /// for a person lying on the side.
    init?(_ joints: [JointKey: SIMD3<Double>]) {
        guard let leftHip = joints[.leftHip], let rightHip = joints[.rightHip],
            let leftShoulder = joints[.leftShoulder], let rightShoulder = joints[.rightShoulder]
        else { return nil }
        let across = (rightHip - leftHip) + (rightShoulder - leftShoulder)
        let length = (across * across).sum().squareRoot()
        guard length > 1e-6 else { return nil }
        let right = across / length
        // The part of "up" that is perpendicular to the body's left-right axis.
        let upright = SIMD3(0, 1, 0) - right * right.y
        let height = (upright * upright).sum().squareRoot()
        // Below this (right.y above 0.98) the body lies on its side.
        guard height > 0.2 else { return nil }
        self.joints = joints
        sideways = abs(right.z)
        up = upright / height
        forward = SIMD3(
            up.y * right.z - up.z * right.y, up.z * right.x - up.x * right.z, up.x * right.y - up.y * right.x)
    }

    func position(of key: JointKey) -> SIMD2<Double>? {
        joints[key].map { SIMD2(($0 * forward).sum(), ($0 * up).sum()) }
    }
}
