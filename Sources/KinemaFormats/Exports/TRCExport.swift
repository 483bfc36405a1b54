package import Foundation
package import KinemaCore

/// Motion-capture markers (TRC): metres, y up, one file per person, as OpenSim and Sports2D read them.
///
/// Positions are relative to the midpoint of the hips. Times are evenly spaced and gaps are filled (`ResampledTrack`).
package struct TRCExport: PoseExport {
    private static let markers: [(name: String, key: JointKey)] = [
        ("Nose", .nose), ("Neck", .neck), ("RShoulder", .rightShoulder), ("RElbow", .rightElbow),
        ("RWrist", .rightWrist), ("LShoulder", .leftShoulder), ("LElbow", .leftElbow), ("LWrist", .leftWrist),
        ("Hip", .root), ("RHip", .rightHip), ("RKnee", .rightKnee), ("RAnkle", .rightAnkle),
        ("RHeel", .rightHeel), ("RBigToe", .rightFootTip), ("LHip", .leftHip), ("LKnee", .leftKnee),
        ("LAnkle", .leftAnkle), ("LHeel", .leftHeel), ("LBigToe", .leftFootTip),
    ]

    private let files: PersonFiles
    private var people = PersonSamples()

    package init(url: URL, diagnostics: DiagnosticCollector? = nil) {
        files = PersonFiles(url: url, diagnostics: diagnostics)
    }

    package mutating func add(_ frame: ExportedFrame) throws {
        try people.add(frame) { pose in
            Self.markers.flatMap { marker -> [Double?] in
                let position = pose.keypoints3D[marker.key]?.position
                return (0..<3).map { axis in position.map { Double($0[axis]) } }
            }
        }
    }

    package consuming func finish() throws {
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

/// One person's numbers at an even rate without gaps, as motion-capture formats require.
///
/// As in Sports2D, short gaps are filled linearly and longer ones with the last value.
struct ResampledTrack {
    let times: [TimeInterval]
    private let longestGap: Int
    /// One column per name, with a number for every time; nil for columns never seen.
    private(set) var columns: [[Double]?] = []

    init(_ samples: ArraySlice<PersonSamples.Sample>, count: Int, grid: TimeGrid, longestGap: Int) {
        (times, self.longestGap) = (grid.times, longestGap)
        columns = (0..<count).map { column in
            let known = samples.compactMap { sample in
                sample.values[column].flatMap { $0.isFinite ? (time: sample.time, value: $0) : nil }
            }
            return known.isEmpty ? nil : fill(known, step: 1 / grid.rate)
        }
    }

    private func fill(_ known: [(time: TimeInterval, value: Double)], step: TimeInterval) -> [Double] {
        var next = 0
        return times.map { time in
            // Within a hundredth of a frame, use the sample itself instead of interpolating.
            while next < known.count, known[next].time < time - step / 100 { next += 1 }
            guard next < known.count else { return known[known.count - 1].value }
            let after = known[next]
            guard next > 0, after.time > time + step / 100 else { return after.value }
            let before = known[next - 1]
            let gap = after.time - before.time
            guard gap < (Double(longestGap) + 1.5) * step else { return before.value }
            return before.value + (after.value - before.value) * (time - before.time) / gap
        }
    }
}

/// A table: frame, time, person, confidence, box, then x, y and confidence of every joint, origin at the lower left.
package struct CSVExport: PoseExport {
    package static let joints = BodySkeleton.withFeet

    package static var header: String {
        (["frame", "time", "id", "confidence", "x", "y", "width", "height"]
            + joints.flatMap { ["\($0.rawValue).x", "\($0.rawValue).y", "\($0.rawValue).confidence"] })
            .joined(separator: ",")
    }

    private let url: URL
    private var text = Array((Self.header + "\n").utf8)

    init(url: URL) { self.url = url }

    package mutating func add(_ frame: ExportedFrame) { text += Self.rows(frame) }

    package consuming func finish() throws { try AtomicFile.write(text, to: url) }

    package static func rows(_ frame: ExportedFrame) -> [UInt8] {
        frame.poses.flatMap { pose -> [UInt8] in
            // A CSV row is a JSON array without its brackets.
            var line = JSONText()
            line.integer(frame.index)
            line.number(frame.time, decimals: 6)
            if let id = pose.id { line.integer(id) } else { line.null() }
            line.number(Double(pose.confidence), decimals: 4)
            let box = pose.boundingBox() ?? .zero
            for value in [box.minX, box.minY, box.width, box.height] { line.number(value) }
            for joint in joints.map({ pose.keypoints[$0] }) {
                line.number(joint.map { Double($0.location.x) } ?? .nan)
                line.number(joint.map { Double($0.location.y) } ?? .nan)
                line.number(Double(joint?.confidence ?? 0), decimals: 3)
            }
            line.newline()
            // Tables leave missing cells empty.
            return Array(String(decoding: line.bytes, as: UTF8.self).replacing("null", with: "").utf8)
        }
    }
}
