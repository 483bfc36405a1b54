@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// The dialects of other programs: names of joints, tables in JSON, several lines of names, and what files are packed in.
struct ForeignPoseTests: PoseFormatSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let frames = 5
    private static let keys = COCOExport.joints

    /// A joint's name with underscores: left_hip.
    private static func spaced(_ key: JointKey) -> String {
        PoseColumns.words(key.rawValue).joined(separator: "_")
    }

    /// The place of a joint in pixels of 1600 x 900, and its confidence.
    private static func pixel(_ key: JointKey, _ frame: Int) -> [Double] {
        let place = StandingFigure.joints(bend: Double(frame) / 5)[key] ?? .zero
        return [place.x * 1600, place.y * 900, 0.9]
    }

    private static func json(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
    }

    /// Whether the file has the figure's frames: it bends in a picture that ends at its ankles.
    private func expectFrames(
        _ url: URL, joints: Int = 19, people: Int = 1, confidence: Float = 0.9,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let read = try await read(url)
        #expect(read.frames.count == Self.frames, "\(url.lastPathComponent)", sourceLocation: sourceLocation)
        for (index, frame) in read.frames.enumerated() {
            let pose = try #require(frame.poses.first, "\(url.lastPathComponent)", sourceLocation: sourceLocation)
            let nose = try #require(pose.keypoints[.nose], sourceLocation: sourceLocation)
            let expected = 1 - (0.15 + 0.15 * Double(index) / 5) / 0.95
            #expect(
                abs(nose.location.y - expected) < 1e-3, "\(url.lastPathComponent), \(index)",
                sourceLocation: sourceLocation)
            #expect(nose.confidence == confidence, "\(url.lastPathComponent)", sourceLocation: sourceLocation)
            #expect(
                pose.keypoints.count == joints && frame.poses.count == people, "\(url.lastPathComponent)",
                sourceLocation: sourceLocation)
        }
    }

    // MARK: - Tables

    @Test(arguments: [1, 2]) func `a table of DeepLabCut has three lines of names, or four with individuals`(
        people: Int
    ) async throws {
        let owners = (0..<people).flatMap { owner in Self.keys.flatMap { key in (0..<3).map { (owner, key, $0) } } }
        func line(_ title: String, _ cell: ((Int, JointKey, Int)) -> String) -> String {
            title + "," + owners.map(cell).joined(separator: ",") + "\n"
        }
        var text = line("scorer") { _ in "DLC_resnet50" }
        if people > 1 { text += line("individuals") { "mouse\($0.0)" } }
        text += line("bodyparts") { Self.spaced($0.1) } + line("coords") { ["x", "y", "likelihood"][$0.2] }
        for frame in 0..<Self.frames {
            text += line("\(frame)") { "\(Self.pixel($0.1, frame)[$0.2] + ($0.2 == 0 ? Double($0.0) * 100 : 0))" }
        }
        try await expectFrames(try write("dlc.csv", text.utf8), people: people)
        let ids = try await read(folder.file("dlc.csv")).frames.map { $0.poses.compactMap(\.id) }
        #expect(ids.allSatisfy { $0 == Array(1...people) })
    }

    @Test func `labels of DeepLabCut have pictures for frames, and pandas names the index in its own line`()
        async throws
    {
        let names = Self.keys.map(Self.spaced)
        func rows(_ label: (Int) -> String) -> String {
            (0..<Self.frames).map { frame in
                label(frame) + ","
                    + Self.keys.flatMap { Self.pixel($0, frame).prefix(2) }.map { "\($0)" }.joined(separator: ",")
            }.joined(separator: "\n") + "\n"
        }
        let parts = names.flatMap { [$0, $0] }.joined(separator: ","),
            places = names.flatMap { _ in ["x", "y"] }.joined(separator: ",")
        let scorer = names.flatMap { _ in ["me", "me"] }.joined(separator: ",")
        let labels =
            "scorer,,,\(scorer)\nbodyparts,,,\(parts)\ncoords,,,\(places)\n"
            + rows { "labeled-data,clip,img0\($0).png" }
        try await expectFrames(try write("CollectedData.csv", labels.utf8), confidence: 1)
        let index = ",\(parts)\n,\(places)\nframe\(String(repeating: ",", count: 34))\n" + rows { "\($0)" }
        try await expectFrames(try write("levels.csv", index.utf8), confidence: 1)
    }

    @Test func `people in a table may have names`() async throws {
        let head =
            "track,frame_idx,"
            + Self.keys.flatMap { key in ["x", "y", "score"].map { "\(Self.spaced(key)).\($0)" } }.joined(
                separator: ",")
        let rows = (0..<Self.frames).flatMap { frame in
            ["anna", "ben"].enumerated().map { number, name in
                "\(name),\(frame),"
                    + Self.keys.flatMap { key -> [String] in
                        let place = Self.pixel(key, frame)
                        return ["\(place[0] + Double(number) * 100)", "\(place[1])", "0.9"]
                    }.joined(separator: ",")
            }
        }
        try await expectFrames(
            try write("sleap.csv", (head + "\n" + rows.joined(separator: "\n") + "\n").utf8), people: 2)
    }

    @Test(arguments: ["records", "columns", "index", "split", "table", "list", "lines", "values", "long"])
    func `a table in JSON is read in each orientation of pandas`(orientation: String) async throws {
        let names =
            ["time"] + Self.keys.flatMap { key in ["x", "y", "visibility"].map { "\(Self.spaced(key))_\($0)" } }
        let rows = (0..<Self.frames).map { frame in [Double(frame) / 20] + Self.keys.flatMap { Self.pixel($0, frame) } }
        let records = rows.map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
        func labelled<Value>(_ values: [Value]) -> [String: Value] {
            Dictionary(uniqueKeysWithValues: values.enumerated().map { ("\($0.offset)", $0.element) })
        }
        let columns = Dictionary(
            uniqueKeysWithValues: names.enumerated().map { column, name in (name, rows.map { $0[column] }) })
        let value: Any =
            switch orientation {
            case "records", "lines": records
            case "columns": columns.mapValues(labelled)
            case "index": labelled(records)
            case "split": ["columns": names, "index": Array(0..<Self.frames), "data": rows] as [String: Any]
            case "table":
                ["schema": ["fields": [["name": "index"]], "pandas_version": "1.4.0"], "data": records] as [String: Any]
            case "list": columns
            case "values": rows.map { Array($0.dropFirst()) }
            default:
                rows.indices.flatMap { frame in
                    Self.keys.map { key -> [String: Any] in
                        let place = Self.pixel(key, frame)
                        return [
                            "time": Double(frame) / 20, "landmark": Self.spaced(key), "x": place[0], "y": place[1],
                            "visibility": 0.9,
                        ]
                    }
                }
            }
        let text =
            orientation == "lines"
            ? try records.map { try Self.json($0) }.joined(separator: "\n") + "\n" : try Self.json(value)
        let url = try write("t.\(orientation == "lines" ? "jsonl" : "json")", text.utf8)
        try await expectFrames(url)
        let times = try await read(url).frames.map(\.frame.time)
        let step = orientation == "values" ? 0.1 : 0.05
        #expect(zip(times, 0...).allSatisfy { abs($0 - Double($1) * step) < 1e-6 }, "\(times)")
    }

    // MARK: - People in JSON

    private static func joints(_ frame: Int, _ name: (JointKey) -> String, _ value: ([Double]) -> Any) -> [String: Any]
    {
        Dictionary(uniqueKeysWithValues: keys.map { (name($0), value(pixel($0, frame))) })
    }

    private static func object(_ place: [Double]) -> [String: Any] {
        ["x": place[0], "y": place[1], "confidence": place[2]]
    }

    @Test(arguments: ["lists", "objects", "bare", "by frame", "frames", "frames by name", "lines"])
    func `joints by their names may be lists or objects, in a list, an object or lines`(kind: String) async throws {
        let frames = (0..<Self.frames).map { frame -> [String: Any] in
            let lists = Self.joints(frame, Self.spaced) { $0 }
            let objects = Self.joints(frame, { $0.rawValue }, Self.object)
            return switch kind {
            case "lists": ["frame": frame, "keypoints": lists]
            case "objects", "lines": ["time": Double(frame) / 20, "joints": objects]
            case "bare", "by frame": lists
            default: ["keypoints": objects]
            }
        }
        let numbered = Dictionary(uniqueKeysWithValues: frames.enumerated().map { ("frame_\($0.offset)", $0.element) })
        let value: Any =
            switch kind {
            case "by frame": numbered
            case "frames": ["fps": 24, "frames": frames] as [String: Any]
            case "frames by name": ["video": "a.mp4", "frames": numbered] as [String: Any]
            default: frames
            }
        let text = kind == "lines" ? try frames.map(Self.json).joined(separator: "\n") : try Self.json(value)
        try await expectFrames(try write("named.json", text.utf8))
    }

    @Test func `a joint by name may come later, and a frame may have nobody`() async throws {
        let frames = (0..<4).map { frame -> String in
            let joints = Self.keys.prefix(frame == 0 ? 5 : 17).map {
                "\"\($0.rawValue)\":[\(Self.pixel($0, frame)[0]),\(Self.pixel($0, frame)[1]),0.9]"
            }
            return "{\"frame\":\(frame),\"keypoints\":\(frame == 2 ? "null" : "{\(joints.joined(separator: ","))}")}"
        }
        let read = try await read(try write("named.json", "[\(frames.joined(separator: ","))]".utf8))
        #expect(read.frames.map { $0.poses.first?.keypoints.count } == [5, 19, nil, 19])
    }

    @Test(arguments: ["landmarks", "pose_landmarks", "landmark", "poseLandmarks", "plain"])
    func `results of MediaPipe are read as its tasks, solutions and libraries for browsers give them`(kind: String)
        async throws
    {
        let frames = (0..<Self.frames).map { frame -> Any in
            let points = BlazePoseSkeleton.joints.map { key -> [String: Any] in
                let place = StandingFigure.joints(bend: Double(frame) / 5)[key] ?? [0.5, 0.4]
                return ["x": place.x, "y": place.y, "z": -0.1, "visibility": 0.5, "presence": 1.0, "name": NSNull()]
            }
            return switch kind {
            case "landmarks": ["landmarks": [points, points], "worldLandmarks": [points]] as [String: Any]
            case "pose_landmarks":
                ["timestamp_ms": frame * 40, "pose_landmarks": [points], "segmentation_masks": NSNull()]
                    as [String: Any]
            case "landmark": ["pose_landmarks": ["landmark": points]]
            case "poseLandmarks": ["poseLandmarks": points]
            default: points
            }
        }
        let read = try await read(try write("mp.json", try Self.json(frames).utf8))
        #expect(read.frames.map(\.poses.count) == [Int](repeating: kind == "landmarks" ? 2 : 1, count: 5))
        try expectFigure(read.frames[3].poses.first, bend: 0.6)
        #expect(read.frames[4].poses.first?.keypoints[.leftHip]?.confidence == 0.5)
        #expect(abs(read.frames[4].frame.time - (kind == "pose_landmarks" ? 0.16 : 0.4)) < 1e-6)
    }

    @Test(arguments: ["one", "list", "lines", "cmu", "open", "folder"])
    func `people of OpenPose and AlphaPose are read under each of their keys`(kind: String) async throws {
        let count = kind == "one" ? 1 : Self.frames
        let frames = (0..<count).map { frame -> [String: Any] in
            let numbers = Pose.arrayJoints.flatMap { key -> [Double] in
                let place = StandingFigure.joints(bend: Double(frame) / 5)[key] ?? .zero
                return [place.x * 1600, place.y * 900, 0.9]
            }
            return switch kind {
            case "cmu": ["version": "AlphaPose v0.3", "bodies": [["joints": numbers]]]
            case "open": ["version": "AlphaPose v0.3", "people": [["pose_keypoints_2d": numbers]]]
            default:
                ["version": 1.0, "people": [["person_id": [-1], "pose_keypoints": numbers, "face_keypoints": []]]]
            }
        }
        if kind == "folder" {
            for (number, frame) in frames.enumerated() {
                _ = try write("op/a_\(number)_keypoints.json", try Self.json(frame).utf8)
            }
            return try await expectFrames(folder.file("op"))
        }
        // Sorted by name, as in files: 0, 1, 10, 11, 2.
        let pictures = Dictionary(uniqueKeysWithValues: zip(["0.jpg", "1.jpg", "2.jpg", "10.jpg", "11.jpg"], frames))
        let value: Any =
            switch kind {
            case "one": frames[0]
            case "cmu", "open": pictures
            default: frames
            }
        let text = kind == "lines" ? try frames.map(Self.json).joined(separator: "\n") : try Self.json(value)
        let url = try write("people.json", text.utf8)
        guard !["one", "cmu", "open"].contains(kind) else {
            let read = try await read(url)
            #expect(read.frames.map(\.poses.count) == (kind == "one" ? [1] : [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]))
            #expect(read.frames.last?.poses.first?.keypoints.count == 19)
            return
        }
        try await expectFrames(url)
    }

    @Test(arguments: ["joints", "recognizedPoints", "list"])
    func `observations of Apple's Vision have y upwards, also of who lies`(kind: String) async throws {
        let raw: [String: String] = [
            "shoulder": "shoulder_1", "elbow": "forearm", "wrist": "hand", "hip": "upLeg", "knee": "leg",
            "ankle": "foot",
        ]
        func name(_ key: JointKey) -> String {
            let words = PoseColumns.words(key.rawValue)
            if kind == "list" { return key.rawValue }
            return words.count == 1 ? "head_joint" : "\(words[0])_\(raw[words[1]] ?? words[1])_joint"
        }
        let lines = try (0..<3).map { frame -> String in
            // The figure lies: its head is at the left.
            let joints = Self.keys.map { key -> (String, [String: Any]) in
                let place = StandingFigure.joints(bend: Double(frame) / 5)[key] ?? .zero
                let point: [String: Any] =
                    kind == "joints" ? ["x": place.y, "y": place.x] : ["location": [place.y, place.x]]
                return (name(key), point.merging(["confidence": 0.8]) { $1 })
            }
            let listed = joints.map { name, point in point.merging(["jointName": name]) { $1 } }
            let value: Any = kind == "list" ? listed as Any : Dictionary(uniqueKeysWithValues: joints) as Any
            let time: Any = kind == "recognizedPoints" ? ["value": frame * 60, "timescale": 600] : Double(frame) / 10
            return try Self.json([
                "timestamp": time, "observations": [["confidence": 1, (kind == "list" ? "joints" : kind): value]],
            ])
        }
        let read = try await read(try write("vision.jsonl", lines.joined(separator: "\n").utf8))
        #expect(read.frames.map { ($0.frame.time * 10).rounded() } == [0, 1, 2])
        let hip = try #require(read.frames[0].poses.first?.keypoints[.leftHip])
        #expect(abs(hip.location.x - 0.55) < 1e-6 && abs(hip.location.y - 0.55) < 1e-6 && hip.confidence == 0.8)
    }

    @Test(arguments: ["[1", "[1]", "{\"a\":[1,2.5e3]}", "{\"nose\":[1]}", "[[1]]", "1", "[0x", "[-]", "[NaN]", "[+1e]"])
    func `lists of bare numbers are no people, and are refused`(text: String) throws {
        for bytes in [text, text + "\n", text + "\n" + text + "\n"] {
            let url = try write("t.json", bytes.utf8)
            #expect(throws: KinemaError.self) { _ = try PoseSequenceReader().frames(contentsOf: url) }
        }
    }

    // MARK: - Markers

    @Test(arguments: ["", "Anna:"]) func `markers of Plug-in Gait make hips, wrists and a head`(subject: String)
        async throws
    {
        // A body of 1.78 m that looks along x, z upwards as in Vicon's rooms; its left is at y = 0.1.
        let markers: [(String, [Double])] = [
            ("LASI", [100, 120, 950]), ("RASI", [100, -120, 950]), ("LPSI", [-60, 50, 970]), ("RPSI", [-60, -50, 970]),
            ("LKNE", [10, 140, 500]), ("RKNE", [10, -140, 500]), ("LANK", [0, 130, 90]), ("RANK", [0, -130, 90]),
            ("LHEE", [-60, 110, 40]), ("RHEE", [-60, -110, 40]), ("LTOE", [150, 110, 40]), ("RTOE", [150, -110, 40]),
            ("LSHO", [0, 180, 1450]), ("RSHO", [0, -180, 1450]), ("LELB", [-20, 220, 1150]),
            ("RELB", [-20, -220, 1150]),
            ("LWRA", [60, 200, 950]), ("LWRB", [20, 240, 950]), ("RWRA", [60, -200, 950]), ("RWRB", [20, -240, 950]),
            ("C7", [-60, 0, 1500]), ("CLAV", [60, 0, 1420]), ("LFHD", [90, 60, 1680]), ("RFHD", [90, -60, 1680]),
        ]
        let rows = (0..<40).map { frame in
            let drop = 150 * (1 - cos(Double(frame) / 6))
            return ["\(frame + 1)", "\(Double(frame) / 50)"]
                + markers.flatMap { name, place in
                    ["\(place[0])", "\(place[1])", "\(place[2] - (place[2] > 600 ? drop : 0))"]
                }
        }
        let head = [
            ["PathFileType", "4", "(X/Y/Z)", "a.trc"], ["DataRate", "Units"], ["50", "mm"],
            ["Frame#", "Time"] + markers.flatMap { [subject + $0.0, "", ""] },
            ["", ""] + markers.flatMap { _ in ["X", "Y", "Z"] },
        ]
        let text = (head + rows).map { $0.joined(separator: "\t") }.joined(separator: "\n") + "\n"
        let read = try await read(try write("a.trc", text.utf8))
        let space = try #require(read.frames.first?.poses.first).keypoints3D.mapValues(\.position)
        #expect(read.note.contains("z upwards"), "\(read.note)")
        let (left, right) = (try #require(space[.leftHip]), try #require(space[.rightHip]))
        // Of 240 mm between the front markers: 86 to each side, 72 down and 53 back of their middle, along a pelvis that is
        // tilted by 7 degrees.
        #expect(
            abs(abs(left.z - right.z) - 0.1728) < 1e-3 || abs(abs(left.x - right.x) - 0.1728) < 1e-3, "\(left) \(right)"
        )
        #expect(abs(left.y - 0.886) < 0.01, "\(left)")
        let (wrist, nose) = (try #require(space[.leftWrist]), try #require(space[.nose]))
        #expect(abs(wrist.y - 0.95) < 1e-3 && abs(nose.y - 1.68) < 1e-3)
        #expect(
            Set(space.keys).isSuperset(of: [
                .leftKnee, .rightAnkle, .leftHeel, .rightFootTip, .neck, .leftShoulder, .rightElbow,
            ]))
    }

    // MARK: - Packed files and other texts

    @Test func `a table may be a text in UTF-16 or alone in a zip archive`() async throws {
        let names = Self.keys.flatMap { key in ["x", "y", "score"].map { "\(Self.spaced(key))_\($0)" } }
        let rows = (0..<Self.frames).map { frame in Self.keys.flatMap { Self.pixel($0, frame) }.map { "\($0)" } }
        let text = ([names] + rows).map { $0.joined(separator: ",") }.joined(separator: "\r\n") + "\r\n"
        for isLittle in [true, false] {
            let units = [0xFEFF] + Array(text.utf16)
            let bytes = units.flatMap {
                isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
            }
            try await expectFrames(try write("t.csv", bytes))
        }
        var zip = ZipArchive()
        try zip.add([UInt8](repeating: 1, count: 20), name: "__MACOSX/._t.csv")
        try zip.add(Array(text.utf8), name: "data/t.csv")
        try await expectFrames(try write("t.zip", zip.finish()))
        var two = ZipArchive()
        for name in ["a.csv", "b.csv"] { try two.add(Array(text.utf8), name: name) }
        expectRefusal(of: try write("two.zip", two.finish()), "contains 2 files: a.csv, b.csv")
    }

    @Test func `a table that unpacks to too much is refused`() throws {
        var zip = ZipArchive()
        try zip.add([UInt8](repeating: 48, count: 30 << 20), name: "t.csv")
        var small = PoseFileLimits()
        (small.bytes, small.ratioExemptBytes) = (64 << 20, 1 << 20)
        expectRefusal(of: try write("t.zip", zip.finish()), "times its size", limits: small)
    }
}
