import KinemaMeasuring
package import Foundation
import KinemaCore

/// COCO keypoints: pixels, origin at the top left, 17 joints, one annotation per person and frame.
struct COCOExport: PoseExport {
    static let joints = COCOJoints.all
    private static let names = joints.map { $0.rawValue.replacing(/[A-Z]/) { "_" + $0.output.lowercased() } }
    /// COCO's bones, numbered from 1.
    private static let bones = [
        (16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7), (6, 8), (7, 9), (8, 10), (9, 11),
        (2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7),
    ]

    let url: URL
    /// The name of the source if it is a picture; nil for a video.
    private let picture: String?
    private var images = JSONText()
    private var annotations = JSONText()
    private var annotationCount = 0

    init(url: URL, source: String) {
        let file = URL(filePath: source)
        let isPicture = ["bmp", "jpeg", "jpg", "png", "tif", "tiff", "webp"].contains(file.pathExtension.lowercased())
        (self.url, picture) = (url, isPicture ? file.lastPathComponent : nil)
    }

    mutating func add(_ frame: ExportedFrame) {
        // A picture keeps its name. Every frame of a video needs a name, the one that CVAT gives it, since readers of
        // COCO identify images by their names.
        let name = picture ?? String(format: "frame_%06d.png", frame.index)
        images.object { json in
            json.field("id", frame.index)
            json.field("width", frame.width)
            json.field("height", frame.height)
            json.field("file_name", name)
            json.field("time", frame.time, decimals: 6)
        }
        for pose in frame.poses {
            annotationCount += 1
            write(pose, frame)
        }
    }

    consuming func finish() throws {
        var text = Array("{\"info\":{\"description\":\"Poses by Kinema\"},\"images\":[".utf8)
        text += images.bytes
        text += Array("],\"annotations\":[".utf8) + annotations.bytes + Array("],\"categories\":[".utf8)
        var category = JSONText()
        category.object { json in
            json.field("id", 1)
            json.field("name", "person")
            json.field("keypoints", strings: Self.names)
            json.array("skeleton") { list in
                for (from, to) in Self.bones { list.numbers([Double(from), Double(to)], decimals: 0) }
            }
        }
        try AtomicFile.write(text + category.bytes + Array("]}\n".utf8), to: url)
    }

    private mutating func write(_ pose: Pose, _ frame: ExportedFrame) {
        let points = Self.joints.map { pose.keypoints[$0].flatMap { Self.visible($0, frame) } }
        let found = points.compactMap(\.self)
        let (left, right) = (found.map(\.x).min() ?? 0, found.map(\.x).max() ?? 0)
        let (top, bottom) = (found.map(\.y).min() ?? 0, found.map(\.y).max() ?? 0)
        annotations.object { json in
            json.field("id", annotationCount)
            json.field("image_id", frame.index)
            json.field("category_id", 1)
            json.array("keypoints") { list in
                for point in points {
                    list.number(point?.x ?? 0, decimals: 2)
                    list.number(point?.y ?? 0, decimals: 2)
                    list.integer(point?.flag ?? 0)
                }
            }
            json.field("num_keypoints", found.count)
            json.field("bbox", numbers: [left, top, right - left, bottom - top], decimals: 2)
            json.field("area", (right - left) * (bottom - top), decimals: 2)
            json.field("iscrowd", 0)
            json.field("score", Double(pose.confidence), decimals: 4)
            if let id = pose.id { json.field("track_id", id) }
        }
    }

    /// Pixels and COCO's flag: 2 visible, 1 occluded; nil if the joint is outside the picture.
    private static func visible(_ joint: JointPoint, _ frame: ExportedFrame) -> (x: Double, y: Double, flag: Int)? {
        let (x, y) = (joint.location.x, 1 - joint.location.y)
        guard x >= 0, y >= 0, x <= 1, y <= 1 else { return nil }
        return (x * Double(frame.width), y * Double(frame.height), joint.confidence >= 0.5 ? 2 : 1)
    }
}

/// OpenPose's JSON, BODY_25: pixels, origin at the top left, one file per frame in a folder.
struct OpenPoseExport: PoseExport {
    /// BODY_25's order. BlazePose has one tip per foot, which serves as both big and small toe.
    static let joints: [JointKey] = [
        .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist, .root, .rightHip,
        .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye, .rightEar, .leftEar,
        .leftFootTip, .leftFootTip, .leftHeel, .rightFootTip, .rightFootTip, .rightHeel,
    ]
    private static let otherKeys = [
        "face_keypoints_2d", "hand_left_keypoints_2d", "hand_right_keypoints_2d", "pose_keypoints_3d",
        "face_keypoints_3d", "hand_left_keypoints_3d", "hand_right_keypoints_3d",
    ]

    let folder: URL
    private let stem: String
    private var isNew = false
    private var written: [URL] = []

    init(folder: URL, source: String) {
        self.folder = folder
        stem = URL(filePath: source).deletingPathExtension().lastPathComponent
    }

    /// Writes the frame's file; if that fails, removes those of the frames before.
    mutating func add(_ frame: ExportedFrame) throws {
        do {
            try write(frame)
        } catch {
            AtomicFile.remove(written)
            if isNew { rmdir(folder.path) }
            throw error
        }
    }

    private mutating func write(_ frame: ExportedFrame) throws {
        if frame.index == 0 {
            isNew = !FileManager.default.fileExists(atPath: folder.path)
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw KinemaError.unwritable(folder.path, error)
            }
        }
        var json = JSONText()
        json.object { json in
            json.field("version", 1.3, decimals: 1)
            json.array("people") { list in frame.poses.forEach { Self.write($0, frame, &list) } }
        }
        let number = String(repeating: "0", count: max(0, 12 - "\(frame.index)".count)) + "\(frame.index)"
        let file = folder.appending(path: "\(stem)_\(number)_keypoints.json")
        try AtomicFile.write(json.bytes, to: file)
        written.append(file)
    }

    consuming func finish() throws {}

    private static func write(_ pose: Pose, _ frame: ExportedFrame, _ list: inout JSONText) {
        list.object { json in
            json.array("person_id") { $0.integer(pose.id ?? -1) }
            json.array("pose_keypoints_2d") { numbers in
                for joint in joints.map({ pose.keypoints[$0] }) {
                    numbers.number((joint?.location.x ?? 0) * Double(frame.width), decimals: 3)
                    numbers.number(joint.map { (1 - $0.location.y) * Double(frame.height) } ?? 0, decimals: 3)
                    numbers.number(Double(joint?.confidence ?? 0), decimals: 4)
                }
            }
            for key in otherKeys { json.array(key) { _ in } }
        }
    }
}

/// Joint and segment angles over time (MOT): degrees, one file per person, as OpenSim and Sports2D read them.
///
/// Times are evenly spaced and gaps are filled (`ResampledTrack`); `JointAngles` defines names and signs.
package struct MOTExport: PoseExport {
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
    package mutating func add(_ frame: ExportedFrame) throws {
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

    package consuming func finish() throws {
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

    /// Writes one person's angles in the picture, in the order of `JointAngles.names`.
    package static func write(_ angles: [[Double?]?], times: [TimeInterval], isFront: Bool, to url: URL) throws {
        var samples = PersonSamples()
        for (index, time) in times.enumerated() {
            try samples.add(
                ExportedFrame(index: index, time: time, width: 1, height: 1, poses: [Pose(from: [:])])
            ) { _ in angles.map { $0?[index] } }
        }
        try write(samples, PersonFiles(url: url)) { _ in isFront ? .front : .picture }
    }

    /// Writes everyone's angles, in the order of `JointAngles.names`; `view` is that of each person by number.
    private static func write(_ people: PersonSamples, _ files: PersonFiles, view: (Int) -> View) throws {
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
