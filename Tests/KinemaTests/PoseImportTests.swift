import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// Poses from the files of other programs, with everyone in them.
struct PoseImportTests {
    private let folder: TemporaryFolder
    private static let keys: [JointKey] = [
        .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
        .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The place of a joint of COCO's in the picture, y upwards; people stand apart and move a little.
    private func place(_ joint: Int, of person: Int, at frame: Int) -> (x: Double, y: Double) {
        (0.1 + 0.5 * Double(person) + 0.01 * Double(joint) + 0.002 * Double(frame), 0.9 - 0.04 * Double(joint))
    }

    private func pose(_ person: Int, at frame: Int) -> Pose {
        let points = Self.keys.enumerated().map { index, key in
            let (x, y) = place(index, of: person, at: frame)
            return (key, JointPoint(key, location: CGPoint(x: x, y: y), confidence: 0.9))
        }
        let space = Self.keys.enumerated().map { index, key in
            let (x, y) = place(index, of: person, at: frame)
            return (key, JointPoint3D(key, position: SIMD3(Float(x), Float(y), 0.1), confidence: 0.9))
        }
        return Pose(
            from: Dictionary(uniqueKeysWithValues: points), keypoints3D: Dictionary(uniqueKeysWithValues: space),
            id: person + 3, confidence: 0.75)
    }

    private func read(
        _ url: URL, rate: Double = 10, aspect: AspectRatio? = nil
    ) async throws -> [TemporalFeature<PosedFrame>] {
        var all: [TemporalFeature<PosedFrame>] = []
        let reader = PoseSequenceReader(rate: rate, aspect: aspect)
        for try await element in try reader.frames(contentsOf: url) { all.append(element) }
        return all
    }

    private func read(_ name: String, _ text: String, rate: Double = 10) async throws -> [TemporalFeature<PosedFrame>] {
        try Data(text.utf8).write(to: folder.file(name))
        return try await read(folder.file(name), rate: rate)
    }

    /// The largest distance of a pose's joints from where they were put.
    private func error(_ pose: Pose, _ person: Int, at frame: Int) throws -> Double {
        try Self.keys.enumerated().map { index, key in
            let joint = try #require(pose.keypoints[key]).location
            let (x, y) = place(index, of: person, at: frame)
            return max(abs(joint.x - x), abs(joint.y - y))
        }.max() ?? 1
    }

    @Test(arguments: [PoseExportFormat.csv, .coco, .openpose])
    func `what was exported is read again, with its people, gaps, times and shape`(format: PoseExportFormat)
        async throws
    {
        let name = format == .openpose ? "out" : format == .csv ? "out.csv" : "out.json"
        var export = format.makeExport(to: folder.file(name), source: "clip.mp4")
        // Nobody is in frames 5 and 6, and only the second person in frame 7.
        let present = (0..<12).map { frame in (5...6).contains(frame) ? [] : frame == 7 ? [1] : [0, 1] }
        for (frame, people) in present.enumerated() {
            try export.add(
                ExportedFrame(
                    index: frame, time: Double(frame) * 0.04, width: 640, height: 480,
                    poses: people.map { pose($0, at: frame) }))
        }
        try export.finish()
        // OpenPose's files state neither a rate nor a size, and tables no shape.
        let shape = format == .coco ? nil : AspectRatio(width: 640, height: 480)
        let frames = try await read(folder.file(name), rate: 25, aspect: shape)
        #expect(frames.map { $0.feature.poses.compactMap(\.id) } == present.map { $0.map { $0 + 3 } })
        #expect(frames.map { ($0.feature.frame.time * 1000).rounded() } == (0..<12).map { Double($0) * 40 })
        #expect(frames.allSatisfy { $0.feature.frame.width == 640 && $0.feature.frame.height == 480 })
        guard format != .openpose else {
            // The picture is one that holds all; proportions are kept.
            let joints = try #require(frames[0].feature.poses.first).keypoints
            let (nose, ankle) = (try #require(joints[.nose]).location, try #require(joints[.leftAnkle]).location)
            #expect(abs((ankle.x - nose.x) / (nose.y - ankle.y) - 0.15 / 0.6) < 1e-3)
            return
        }
        for (index, frame) in frames.enumerated() {
            for (person, pose) in zip(present[index], frame.feature.poses) {
                #expect(try error(pose, person, at: index) < 1e-3)
                #expect(pose.confidence == 0.75 && pose.keypoints[.neck] != nil && pose.keypoints[.root] != nil)
            }
        }
    }

    @Test(arguments: [("m", 1.0), ("mm", 1000.0)])
    func `markers are places in the picture and in space`(unit: String, scale: Double) async throws {
        var export = PoseExportFormat.trc.makeExport(to: folder.file("out.trc"), source: "clip.mp4")
        for frame in 0..<5 {
            try export.add(
                ExportedFrame(
                    index: frame, time: Double(frame) / 50, width: 640, height: 480, poses: [pose(0, at: frame)]))
        }
        try export.finish()
        var lines = try String(contentsOf: folder.file("out.trc"), encoding: .utf8).components(separatedBy: "\n")
        lines[2] = lines[2].replacingOccurrences(of: "\tm\t", with: "\t\(unit)\t")
        for row in lines.indices.dropFirst(5) where !lines[row].isEmpty {
            let cells = lines[row].components(separatedBy: "\t")
            lines[row] = (cells.prefix(2) + cells.dropFirst(2).map { "\((Double($0) ?? 0) * scale)" }).joined(
                separator: "\t")
        }
        let frames = try await read("scaled.trc", lines.joined(separator: "\n"))
        #expect(frames.map { ($0.feature.frame.time * 100).rounded() } == [0, 2, 4, 6, 8])
        let pose = try #require(frames[4].feature.poses.first)
        let (x, y) = place(5, of: 0, at: 4)
        let shoulder = try #require(pose.keypoints3D[.leftShoulder]).position
        #expect(
            abs(Double(shoulder.x) - x) < 1e-3 && abs(Double(shoulder.y) - y) < 1e-3 && abs(shoulder.z - 0.1) < 1e-3)
        let (nose, ankle) = (pose.keypoints[.nose], pose.keypoints[.leftAnkle])
        let picture = frames[4].feature.frame
        let across = try #require(ankle).location.x - (try #require(nose).location.x)
        let up = try #require(nose).location.y - (try #require(ankle).location.y)
        let slope: Double = across * Double(picture.width) / (up * Double(picture.height))
        #expect(abs(slope - 0.25) < 0.01)
    }

    @Test(arguments: [
        ["nose_x", "nose_y", "nose_z", "nose_visibility"], ["x_nose", "y_nose", "z_nose", "v_nose"],
        ["NOSE.x", "NOSE.y", "NOSE.z", "NOSE.vis"], ["noseX", "noseY", "noseZ", "noseVisibility"],
        ["landmark_0_x", "landmark_0_y", "landmark_0_z", "landmark_0_score"], ["x1", "y1", "z1", "v1"],
    ])
    func `a joint's columns are known in any spelling`(pattern: [String]) async throws {
        let names = [
            "nose", "left_eye_inner", "left_eye", "left_eye_outer", "right_eye_inner", "right_eye", "right_eye_outer",
            "left_ear", "right_ear", "mouth_left", "mouth_right", "left_shoulder", "right_shoulder", "left_elbow",
            "right_elbow", "left_wrist", "right_wrist", "left_pinky", "right_pinky", "left_index", "right_index",
            "left_thumb", "right_thumb", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle",
            "right_ankle",
            "left_heel", "right_heel", "left_foot_index", "right_foot_index",
        ]
        let camel = pattern[0] == "noseX"
        let head = names.enumerated().flatMap { index, name in
            pattern.map { column in
                let spelled =
                    camel
                    ? name.split(separator: "_").enumerated().map { $0 == 0 ? "\($1)" : $1.capitalized }.joined()
                    : pattern[0].hasPrefix("NOSE") ? name.uppercased() : name
                let numbered =
                    column.contains("0")
                    ? column.replacing("0", with: "\(index)") : column.replacing("1", with: "\(index + 1)")
                return numbered.replacing("nose", with: spelled).replacing("NOSE", with: spelled)
            }
        }
        let row = (0..<33).map { "\(Double($0) / 100),\(Double($0) / 50),-3,0.5" }.joined(separator: ",")
        let text = "label,timestamp_ms," + head.joined(separator: ",") + "\nup,1000,\(row)\ndown,1500,\(row)\n"
        let frames = try await read("t.csv", text)
        #expect(frames.map(\.feature.frame.time) == [1, 1.5])
        let pose = try #require(frames.first?.feature.poses.first)
        #expect(pose.keypoints.count == 35 && pose.id == 1)
        let toe = try #require(pose.keypoints[.rightFootTip])
        #expect(abs(toe.location.x - 0.32) < 1e-6 && abs(toe.location.y - 0.36) < 1e-6 && toe.confidence == 0.5)
    }

    @Test func `people without numbers keep theirs from file to file, however they are listed`() async throws {
        try FileManager.default.createDirectory(at: folder.file("op"), withIntermediateDirectories: true)
        for frame in 0..<12 {
            let people = [0, 1].map { person -> String in
                let values = (0..<25).map { joint in
                    let (x, y) = place(joint, of: person, at: frame)
                    return "\(x * 640),\((1 - y) * 480 + 100),0.8"
                }
                return "{\"person_id\":[-1],\"pose_keypoints_2d\":[\(values.joined(separator: ","))]}"
            }
            let listed = frame.isMultiple(of: 2) ? people : people.reversed()
            let text = "{\"version\":1.3,\"people\":[\(frame == 4 ? "" : listed.joined(separator: ","))]}"
            try Data(text.utf8).write(to: folder.file("op/run2_\(frame)_keypoints.json"))
        }
        #expect(PoseSequenceReader.isSequence(folder.file("op")) && !PoseSequenceReader.isSequence(folder.url))
        let frames = try await read(folder.file("op"))
        #expect(frames.count == 12 && frames[4].feature.poses.isEmpty)
        for frame in frames where !frame.feature.poses.isEmpty {
            let order = frame.feature.poses.sorted {
                ($0.keypoints[.nose]?.location.x ?? 0) < ($1.keypoints[.nose]?.location.x ?? 0)
            }
            #expect(order.map(\.id) == [1, 2])
        }
    }

    @Test func `a tracker's list of results is a recording with frames without people`() async throws {
        let keypoints = (0..<17).map { "\(100 + $0 * 9),\(50 + $0 * 20),0.7" }.joined(separator: ",")
        let results = [0, 1, 4].map {
            "{\"image_id\":\"\($0).jpg\",\"category_id\":1,\"keypoints\":[\(keypoints)],\"score\":2.9,\"idx\":7}"
        }
        let frames = try await read("alphapose-results.json", "[\(results.joined(separator: ", "))]")
        #expect(frames.map { $0.feature.poses.compactMap(\.id) } == [[7], [7], [], [], [7]])
        #expect(frames.map(\.feature.frame.time) == [0, 0.1, 0.2, 0.3, 0.4])
        #expect(frames[0].feature.poses[0].keypoints[.rightAnkle]?.confidence == 0.7)
    }

    @Test(arguments: [
        ([3, 33, 4], 3), ([3, 132], 3), ([1, 3, 33, 3], 3), ([3, 1, 17, 3], 3), ([3, 51], 3), ([3, 17, 2], 3),
        ([1, 33, 5], 1),
    ])
    func `arrays may be flat and have axes of one`(shape: [Int], count: Int) async throws {
        let numbers = (0..<shape.reduce(1, *)).map { Double($0 % 90) / 100 + 0.05 }
        try NumpyFile.bytes(numbers, shape: shape).write(to: folder.file("t.npy"))
        let frames = try await read(folder.file("t.npy"))
        #expect(frames.count == count && frames.allSatisfy { $0.feature.poses.count == 1 })
    }

    @Test(arguments: [
        ("t.csv", "nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\n1,2,3,4,5\n", "line 2 has 5 columns"),
        (
            "t.csv",
            "frame,nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\n0,1,2,3,4,5,6\n1,1,2,3,4,5,up\n",
            "line 3 has no number in the column right_hip_y"
        ),
        (
            "t.csv",
            "frame,nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\n7,1,2,3,4,5,6\n0,1,2,3,4,5,6\n",
            "line 3 goes back from frame 7 to 0"
        ),
        (
            "t.csv",
            "video,nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\na,1,2,3,4,5,6\nb,1,2,3,4,5,6\n",
            "line 3 belongs to another recording"
        ),
        (
            "t.csv",
            "frame,nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\n0,1,2,3,4,5,6\n9999999,1,2,3,4,5,6\n",
            "has frames 0 to 9999999"
        ),
        (
            "t.csv",
            "frame,nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\n0,1,2,3,4,5,6\n500000,1,2,3,4,5,6\n",
            "has frames 0 to 500000, but only 2 of them"
        ),
        (
            "t.csv",
            "frame,nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\n-9e18,1,2,3,4,5,6\n9e18,1,2,3,4,5,6\n",
            "has frames -9000000000000000000 to 9000000000000000000"
        ),
        ("t.csv", "frame,landmark,x,y\n0,-9223372036854775808,1,2\n", "has no joints of a body in the column landmark"),
        (
            "t.csv", "time,nose_x,nose_y,left_hip_x,left_hip_y,right_hip_x,right_hip_y\n1,1,2,3,4,5,6\n1,1,2,3,4,5,6\n",
            "is not after the previous one"
        ),
        (
            "t.json",
            "{\"images\":[{\"id\":1}],\"annotations\":[{\"image_id\":2,\"keypoints\":[\(Array(repeating: "1", count: 51).joined(separator: ","))]}]}",
            "has an annotation of image 2"
        ),
        (
            "t.json", "{\"images\":[{\"id\":1}],\"annotations\":[{\"image_id\":1,\"keypoints\":[1,2]}]}",
            "annotation 1 has 2 numbers"
        ),
        ("t.json", "{\"images\":[{\"id\":1},", "is cut short"),
        ("t.json", "{\"pose\":true}", "is not a list of frames"),
        ("t.json", "[{\"image_id\":1,\"keypoints\":", "is cut short"),
        ("t.trc", "PathFileType\t4\n", "is not a file of markers"),
        ("t.trc", "PathFileType\t4\na\tUnits\n1\tfeet\nFrame#\tTime\tNose\n\t\n1\t0\t1\t2\t3\n", "has markers in feet"),
    ])
    func `what cannot be read is reported in one line`(name: String, text: String, words: String) async throws {
        let error = await #expect(throws: KinemaError.self) { _ = try await read(name, text) }
        #expect(error?.code == .unreadableInput && error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}
