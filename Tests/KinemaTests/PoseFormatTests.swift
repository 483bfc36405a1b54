import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// A figure that stands in the picture and bends its knees, in the orders and formats of other programs.
private enum StandingFigure {
    /// The places of the joints in shares of the picture, y downwards; `bend` from 0 to 1.
    static func joints(bend: Double = 0) -> [JointKey: SIMD2<Double>] {
        let drop = 0.15 * bend
        var joints: [JointKey: SIMD2<Double>] = [
            .nose: [0.5, 0.15 + drop], .neck: [0.5, 0.27 + drop], .root: [0.5, 0.55 + drop],
        ]
        let sides: [(left: JointKey, right: JointKey, x: Double, y: Double)] = [
            (.leftEye, .rightEye, 0.02, 0.13 + drop), (.leftEar, .rightEar, 0.035, 0.14 + drop),
            (.leftShoulder, .rightShoulder, 0.08, 0.27 + drop), (.leftElbow, .rightElbow, 0.12, 0.4 + drop),
            (.leftWrist, .rightWrist, 0.13, 0.52 + drop), (.leftHip, .rightHip, 0.05, 0.55 + drop),
            (.leftKnee, .rightKnee, 0.06, 0.75 + drop / 2), (.leftAnkle, .rightAnkle, 0.055, 0.95),
            (.leftHeel, .rightHeel, 0.055, 0.97), (.leftFootTip, .rightFootTip, 0.07, 0.98),
        ]
        for side in sides {
            joints[side.left] = [0.5 + side.x, side.y]
            joints[side.right] = [0.5 - side.x, side.y]
        }
        return joints
    }

    /// A frame's numbers in an order; points that have no joint lie in the middle of the body.
    static func row(
        _ order: JointOrder, bend: Double = 0, third: Double? = nil, _ place: (SIMD2<Double>) -> SIMD2<Double> = { $0 }
    ) -> [Double] {
        let joints = joints(bend: bend)
        return order.keys.flatMap { key -> [Double] in
            let point = place(key.flatMap { joints[$0] } ?? [0.5, 0.4])
            return [point.x, point.y] + [third].compactMap(\.self)
        }
    }
}

/// What the numbers of pose files mean, and the formats of other programs.
struct PoseFormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        try FileManager.default.createDirectory(
            at: folder.file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: folder.file(name))
        return folder.file(name)
    }

    /// The frames of a file, what its numbers were taken for, and what was noticed.
    private func read(
        _ url: URL, of subject: ActionSubject = .body
    ) async throws -> (frames: [PosedFrame], note: String, findings: [Diagnostic]) {
        #expect(PoseSequenceReader.isSequence(url))
        var reader = PoseSequenceReader(subject: subject, rate: 10)
        let diagnostics = DiagnosticCollector()
        reader.diagnostics = diagnostics
        let frames = try reader.frames(contentsOf: url)
        var all: [PosedFrame] = []
        for try await element in frames { all.append(element.feature) }
        return (all, frames.note ?? "", diagnostics.diagnostics)
    }

    /// Whether a pose is the figure's; `scale` is how large it is in the picture.
    private func expectFigure(
        _ pose: Pose?, bend: Double = 0, joints: Int = 17, within tolerance: Double = 1e-3,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let pose = try #require(pose, sourceLocation: sourceLocation)
        #expect(pose.keypoints.count >= joints, sourceLocation: sourceLocation)
        for (key, place) in StandingFigure.joints(bend: bend) {
            guard let joint = pose.keypoints[key] else { continue }
            let distance = max(abs(joint.location.x - place.x), abs(joint.location.y - (1 - place.y)))
            #expect(distance < tolerance, "\(key.rawValue): \(joint.location)", sourceLocation: sourceLocation)
        }
    }

    // MARK: - What bare numbers mean

    @Test(arguments: [JointOrder.human36M17, .kinect25, .cocoNeck18], [-0.4, 2.5, nil])
    func `joints in another order than their number suggests are refused`(order: JointOrder, third: Double?)
        async throws
    {
        // From the middle of the body, y up, in millimetres; or in the picture.
        let rows = (0..<20).flatMap { frame in
            StandingFigure.row(order, bend: Double(frame % 10) / 10, third: third.map { $0 + Double(frame) / 50 }) {
                third == nil ? $0 : [($0.x - 0.5) * 1800, (0.55 - $0.y) * 1800]
            }
        }
        let width = third == nil ? 2 : 3
        let url = try write("t.npy", NumpyFile.bytes(rows, shape: [20, order.count, width]))
        let error = await #expect(throws: KinemaError.self) { _ = try await read(url) }
        let message = try #require(error?.message)
        #expect(
            error?.code == .unreadableInput && message.hasPrefix("holds \(order.count) joints with x, y"), "\(message)")
        #expect(message.contains("and a depth") == (third != nil) && message.contains("columns name the joints"))
    }

    @Test(arguments: [JointOrder.coco17, .openPose18, .body25, .halpe26])
    func `a depth is ignored, and places are lengths with y upwards where they can be nothing else`(
        order: JointOrder
    ) async throws {
        let rows = (0..<20).flatMap { frame in
            StandingFigure.row(order, bend: Double(frame % 10) / 10, third: Double(frame % 3) - 1) {
                [($0.x - 0.5) * 1.8, (0.55 - $0.y) * 1.8]
            }
        }
        let (frames, note, _) = try await read(
            try write("t.npy", NumpyFile.bytes(rows, shape: [20, order.count, 3])))
        #expect(note.contains("\(order.count) joints taken for \(order.owner)"), "\(note)")
        #expect(note.contains("x and y for lengths, y upwards"), "\(note)")
        #expect(note.contains("the third number for a depth, which is ignored"), "\(note)")
        for (index, frame) in frames.enumerated() {
            let pose = try #require(frame.poses.first)
            let (nose, ankle) = (pose.keypoints[.nose]?.location, pose.keypoints[.leftAnkle]?.location)
            let height = try #require(nose).y - (try #require(ankle).y)
            let across = try #require(ankle).x - (try #require(nose).x)
            // Proportions are kept: the ankle lies 0.055 beside the nose.
            let ratio = Double(frame.frame.width) / Double(frame.frame.height)
            #expect(abs(across * ratio / height - 0.055 / (0.8 - 0.15 * Double(index % 10) / 10)) < 2e-3)
            #expect(pose.keypoints.values.allSatisfy { $0.confidence == 1 && (0...1).contains($0.location.y) })
        }
    }

    @Test(arguments: [
        (JointOrder.coco17, 0.0, 1.0, "confidence"), (.coco17, 0.4, 1.2, "confidence"), (.coco17, -0.1, 0.9, "depth"),
        (.coco17, 1.8, 2.6, "depth"), (.coco17, 1800, 2600, "depth"), (.body25, 1.2, 1.9, "depth"),
        (.openPose18, 0, 1, "confidence"), (.halpe26, -2, 2, "depth"), (.blazePose33, 0, 1.2, "depth"),
    ])
    func `a third number is a confidence where it can be one`(
        order: JointOrder, least: Double, greatest: Double, words: String
    ) async throws {
        var row = StandingFigure.row(order, third: 0)
        for joint in 0..<order.count {
            let share = Double(joint) / Double(order.count - 1)
            // Most scores are good ones.
            let place = words == "confidence" ? share * share : share
            row[joint * 3 + 2] = least + (greatest - least) * place
        }
        let rows = row + row + row + row
        let read = try await read(try write("t.npy", NumpyFile.bytes(rows, shape: [4, order.count, 3])))
        #expect(read.note.contains("the third number for \(words == "depth" ? "a" : "the") \(words)"), "\(read.note)")
        let confidences = Set(read.frames[0].poses[0].keypoints.values.map(\.confidence))
        #expect((confidences == [1]) == (words == "depth"))
    }

    @Test func `a hand's depth is no confidence`() async throws {
        var row: [Double] = []
        for joint in 0..<21 {
            let step = Double(joint) / 100
            row += [0.3 + step, 0.4 + 2 * step, -step]
        }
        let read = try await read(try write("t.npy", NumpyFile.bytes(row + row, shape: [2, 21, 3])), of: .hand)
        #expect(read.frames[0].hands.first?.pose.keypoints.count == 21 && read.note.contains("a depth"), "\(read.note)")
    }

    @Test func `a joint that a detector moved to the corner was not seen`() async throws {
        var row = StandingFigure.row(.coco17, third: 0.9)
        row.replaceSubrange(27..<30, with: [0, 0, 0.3])
        let read = try await read(try write("t.npy", NumpyFile.bytes(row, shape: [1, 17, 3])))
        #expect(read.frames[0].poses[0].keypoints[.leftWrist] == nil)
        try expectFigure(read.frames[0].poses.first)
    }

    @Test func `whole numbers of 16 bits are pixels unless they reach far beyond any picture`() async throws {
        let pixels = StandingFigure.row(.coco17) { [($0.x * 1600).rounded(), ($0.y * 900).rounded()] }
        let read = try await read(
            try write("t.npy", NumpyFile.bytes(pixels.map { $0 / 65535 }, shape: [1, 17, 2], .uint16)))
        #expect(read.note.contains("x and y for pixels"), "\(read.note)")
    }

    // MARK: - Arrays

    @Test(arguments: NumpyFile.Element.allCases, [(false, false), (true, false), (false, true), (true, true)])
    func `arrays of any number are read in either order of axes and of bytes`(
        element: NumpyFile.Element, layout: (isFortran: Bool, isBigEndian: Bool)
    ) async throws {
        let isShare = [.float16, .float32, .float64, .uint8, .uint16].contains(element)
        let side = isShare ? 1.0 : 100
        let rows = (0..<3).flatMap {
            StandingFigure.row(.coco17, bend: Double($0) / 2) { ($0 * side).rounded(isShare) }
        }
        let bytes = NumpyFile.bytes(
            rows, shape: [3, 17, 2], element, isFortran: layout.isFortran, isBigEndian: layout.isBigEndian)
        let read = try await read(try write("t.npy", bytes))
        #expect(read.frames.count == 3)
        for (index, frame) in read.frames.enumerated() where isShare {
            try expectFigure(frame.poses.first, bend: Double(index) / 2, within: 6e-3)
        }
        let nose = read.frames.compactMap { $0.poses.first?.keypoints[.nose]?.location.y }
        #expect(nose.count == 3 && nose[0] > nose[1] && nose[1] > nose[2])
    }

    @Test func `an archive of one array of joints is read, whatever else is in it`() async throws {
        let array = [UInt8](
            NumpyFile.bytes(StandingFigure.row(.body25, third: 0.9), shape: [1, 25, 3], isFortran: true))
        var zip = ZipArchive()
        try zip.add([UInt8](NumpyFile.bytes([30], shape: [1])), name: "fps.npy")
        try zip.add(array, name: "keypoints.npy")
        try expectFigure(try await read(try write("t.npz", zip.finish())).frames.first?.poses.first, joints: 20)
        zip = ZipArchive()
        for name in ["left.npy", "right.npy"] { try zip.add(array, name: name) }
        let two = zip.finish()
        var short = ZipArchive()
        try short.add([UInt8](NumpyFile.bytes([30], shape: [1])), name: "fps.npy")
        for (bytes, words) in [
            (two, "holds 2 arrays of joints: left, right"), (Array(two.dropLast(30)), "is damaged or cut short"),
            (short.finish(), "holds no array of joints: fps.npy"),
        ] {
            let url = try write("t.npz", bytes)
            let error = await #expect(throws: KinemaError.self) { _ = try await read(url) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `Halpe's joints have their names, also without confidences`() async throws {
        for third in [0.8, nil] {
            let width = third == nil ? 2 : 3
            let row = StandingFigure.row(.halpe26, third: third)
            let pose = try await read(try write("t.npy", NumpyFile.bytes(row + row, shape: [2, 26, width]))).frames[1]
                .poses[0]
            try expectFigure(pose, joints: 23)
            #expect(pose.keypoints[.leftHeel] != nil && pose.keypoints[.root] != nil)
        }
    }

    // MARK: - JSON

    /// The figure in pixels of 1600 x 900, as x, y of each of COCO's joints.
    private func pixels(_ bend: Double) -> [SIMD2<Double>] {
        let joints = StandingFigure.joints(bend: bend)
        return JointOrder.coco17.keys.compactMap { $0.flatMap { joints[$0] } }.map { [$0.x * 1600, $0.y * 900] }
    }

    private func list(_ values: [Double]) -> String { "[" + values.map { "\($0)" }.joined(separator: ",") + "]" }

    /// Whether the poses bend as the figure does, in a picture that ends at its ankles.
    private func expectBends(_ frames: [PosedFrame], sourceLocation: SourceLocation = #_sourceLocation) {
        for (index, frame) in frames.enumerated() {
            let joints = frame.poses.first?.keypoints
            let nose = joints?[.nose]?.location.y ?? -1
            let expected = 1 - (0.15 + 0.15 * Double(index) / 5) / 0.95
            #expect(abs(nose - expected) < 1e-3, "\(index)", sourceLocation: sourceLocation)
            #expect(joints?.count == 19, sourceLocation: sourceLocation)
        }
    }

    @Test func `results of Ultralytics are frames, as lines, as one list and as a list of lists`() async throws {
        let frames = (0..<5).map { frame -> String in
            let points = pixels(Double(frame) / 5)
            return "[{\"name\":\"person\",\"class\":0,\"confidence\":0.75,\"box\":{\"x1\":1,\"y1\":2},\"track_id\":4,"
                + "\"keypoints\":{\"x\":\(list(points.map(\.x))),\"y\":\(list(points.map(\.y))),"
                + "\"visible\":\(list([Double](repeating: 0.9, count: 17)))}}]"
        }
        for (name, text) in [
            ("t.jsonl", frames.joined(separator: "\n") + "\n"), ("t.txt", frames.joined(separator: "\n")),
            ("t.json", "[\(frames.joined(separator: ",\n"))]"),
        ] {
            let read = try await read(try write(name, text.utf8))
            #expect(read.frames.count == 5 && read.note.contains("17 joints taken for COCO's"), "\(name): \(read.note)")
            #expect(read.frames.allSatisfy { $0.poses.map(\.id) == [4] && $0.poses[0].confidence == 0.75 })
            expectBends(read.frames)
        }
        let pictures = try await read(try write("one.json", frames[0].utf8))
        #expect(pictures.frames.count == 1)
    }

    @Test(arguments: [false, true]) func `predictions of mmpose are frames`(hasMeta: Bool) async throws {
        let frames = (0..<5).map { frame -> String in
            let points = pixels(Double(frame) / 5).map { list([$0.x, $0.y]) }.joined(separator: ",")
            let scores = list((0..<17).map { 0.5 + Double($0) / 20 })
            return "{\"frame_id\": \(frame + 1), \"instances\": [{\"keypoints\": [\(points)], "
                + "\"keypoint_scores\": \(scores), \"bbox\": [[1.0, 2.0, 3.0, 4.0]], \"bbox_score\": 0.75}]}"
        }
        let all = "[\(frames.joined(separator: ",\n"))]"
        let text = hasMeta ? "{\"meta_info\": {\"dataset_name\": \"coco\"}, \"instance_info\": \(all)}" : all
        let read = try await read(try write("results.json", text.utf8))
        #expect(read.frames.count == 5 && read.frames[0].poses[0].confidence == 0.75)
        #expect(read.frames[0].poses[0].keypoints[.rightAnkle]?.confidence == 1)
        #expect(read.frames[0].poses[0].keypoints[.nose]?.confidence == 0.5)
        expectBends(read.frames)
    }

    @Test func `joints in space are no places in the picture`() async throws {
        let joints = (0..<17).map { _ in "[0.1,0.2,0.3]" }.joined(separator: ",")
        let scores = list([Double](repeating: 1, count: 17))
        let text = "[{\"frame_id\":0,\"instances\":[{\"keypoints\":[\(joints)],\"keypoint_scores\":\(scores)}]}]"
        let url = try write("3d.json", text.utf8)
        let error = await #expect(throws: KinemaError.self) { _ = try await read(url) }
        #expect(error?.message.contains("joints in space (x, y, z)") == true, "\(error?.message ?? "")")
    }

    @Test func `joints with names need no order`() async throws {
        let joints = StandingFigure.joints()
        let frames = (0..<3).map { frame -> String in
            let points = joints.map { key, place in
                "{\"name\":\"\(key.rawValue)\",\"x\":\(place.x * 640),\"y\":\(place.y * 480),\"score\":0.9}"
            }
            return "{\"keypoints\":[\(points.sorted().joined(separator: ","))],\"score\":0.8}"
        }
        let read = try await read(try write("poses.json", "[\(frames.joined(separator: ","))]".utf8))
        #expect(read.frames.count == 3 && read.frames[2].poses.first?.keypoints.count == joints.count)
    }

    // MARK: - Folders and tables

    @Test(arguments: [0, 1, 2], [2, 3]) func `a folder of Ultralytics' labels is a recording`(
        rest: Int, each: Int
    ) async throws {
        for frame in [1, 2, 4, 10] {
            let row = StandingFigure.row(.coco17, bend: Double(frame) / 10, third: each == 3 ? 0.9 : nil)
            let line = ([0, 0.5, 0.5, 0.3, 0.9] + row + [0.8, 7].prefix(rest)).map { "\($0)" }
            let number = { (cell: String) in cell.hasSuffix(".0") ? String(cell.dropLast(2)) : cell }
            _ = try write("run/labels/clip_\(frame).txt", (line.map(number).joined(separator: " ") + "\n").utf8)
        }
        for url in [folder.file("run/labels"), folder.file("run")] {
            let read = try await read(url)
            #expect(read.frames.map(\.poses.count) == [1, 1, 0, 1, 0, 0, 0, 0, 0, 1])
            try expectFigure(read.frames[9].poses.first, bend: 1)
            #expect(read.frames[0].poses.first?.id == (rest == 2 ? 7 : 1))
        }
        _ = try write("run/labels/clip_11.txt", "0 0.5 0.5\n".utf8)
        let error = await #expect(throws: KinemaError.self) { _ = try await read(folder.file("run")) }
        #expect(error?.message.contains("line 1 is not class, box and joints") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [";", "\t"]) func `numbers may have decimal commas where cells are divided otherwise`(
        separator: String
    ) async throws {
        let row = StandingFigure.row(.coco17, third: 0.9).map { "\($0)".replacing(".", with: ",") }
        let names = COCOExport.joints.flatMap { key in ["x", "y", "conf"].map { "\(key.rawValue)_\($0)" } }
        let rows = [String](repeating: row.joined(separator: separator), count: 3).joined(separator: "\n") + "\n"
        for text in [rows, names.joined(separator: separator) + "\n" + rows] {
            let read = try await read(try write("t.csv", text.utf8))
            #expect(read.frames.count == 3)
            try expectFigure(read.frames[2].poses.first)
        }
    }

    @Test func `lines that count the columns or the rows are no numbers of joints`() async throws {
        let row = StandingFigure.row(.body25, third: 0.9).map { "\($0)" }.joined(separator: ",")
        let head = (0..<75).map { "\($0)" }.joined(separator: ",")
        for text in [
            "\(head)\n\(row)\n\(row)\n", ",\(head)\n0,\(row)\n1,\(row)\n", "# made by savetxt\n\(row)\n\(row)\n",
        ] {
            let read = try await read(try write("t.csv", text.utf8))
            #expect(read.frames.count == 2)
            try expectFigure(read.frames[1].poses.first)
        }
        // Of 52 numbers the first is the row's, not one of 26 joints.
        let coco = StandingFigure.row(.coco17, third: 0.9).map { "\($0)" }.joined(separator: ",")
        let counted = (0..<51).map { ",\($0)" }.joined() + "\n0,\(coco)\n1,\(coco)\n"
        try expectFigure(try await read(try write("t.csv", counted.utf8)).frames.last?.poses.first)
        let spaced = try await read(try write("t.txt", (row.replacing(",", with: " ") + "\n").utf8))
        try expectFigure(spaced.frames.first?.poses.first)
    }

    @Test(arguments: ["named", "numbered", "by joint", "timed", "people"])
    func `a table may have a row for each joint`(kind: String) async throws {
        var rows: [(frame: Int, joint: Int, text: String)] = []
        for frame in 0..<5 {
            let joints = StandingFigure.joints(bend: Double(frame) / 5)
            for (index, key) in COCOExport.joints.enumerated() {
                let place = try #require(joints[key])
                let name = kind == "numbered" ? "\(index)" : "PoseLandmark." + key.rawValue
                let start = kind == "timed" ? "\(Double(frame) / 20)" : "\(frame)"
                for person in kind == "people" ? [3, 8] : [3] {
                    let x = place.x + (person == 8 ? 0.3 : 0)
                    rows.append((frame, index, "\(start),\(person),\(name),\(x),\(place.y),-0.2,0.9"))
                }
            }
        }
        if kind == "by joint" { rows.sort { ($0.joint, $0.frame) < ($1.joint, $1.frame) } }
        let head =
            "\(kind == "timed" ? "time" : "frame"),\(kind == "people" ? "person_id" : "view"),landmark,x,y,z,visibility\n"
        let read = try await read(try write("t.csv", (head + rows.map(\.text).joined(separator: "\n") + "\n").utf8))
        #expect(read.frames.count == 5)
        for (index, frame) in read.frames.enumerated() {
            #expect(frame.poses.compactMap(\.id) == (kind == "people" ? [3, 8] : [1]))
            #expect(abs(frame.frame.time - Double(index) / (kind == "timed" ? 20 : 10)) < 1e-4)
            try expectFigure(frame.poses.first, bend: Double(index) / 5)
            #expect(frame.poses.first?.keypoints[.nose]?.confidence == 0.9)
        }
    }

    // MARK: - Texts that were cut off, and other names

    private func line(_ time: Double) -> String {
        "{\"frame\":0,\"time\":\(time),\"people\":[{\"id\":1,\"keypoints\":{\"neck\":[0.5,0.25,0.75]}}]}"
    }

    @Test func `a text that was cut off is read to there, and it is said`() async throws {
        let text = (0..<6).map { line(Double($0) / 10) }.joined(separator: "\n")
        let row = StandingFigure.row(.coco17, third: 0.9).map { "\($0)" }.joined(separator: ",")
        let table = "\(row)\n\(row)\n\(row)"
        let packed = Gzip.pack(Array((0..<4000).map { line(Double($0) / 10) + "\n" }.joined().utf8))
        for (name, bytes, count) in [
            ("t.jsonl", Array(text.utf8.dropLast(20)), 5), ("t.csv", Array(table.utf8.dropLast(50)), 2),
            ("t.jsonl.gz", Array(packed.dropLast(packed.count / 2)), nil),
        ] {
            let read = try await read(try write(name, bytes))
            #expect(
                count == nil ? read.frames.count > 100 : read.frames.count == count, "\(name): \(read.frames.count)")
            #expect(read.findings.map(\.code) == ["input.truncated"], "\(name)")
        }
        let whole = try await read(try write("t.jsonl", text.utf8))
        #expect(whole.frames.count == 6 && whole.findings.isEmpty)
    }

    @Test(arguments: ["poses", "poses.txt", "poses.bin", "poses.json", "poses.npy"])
    func `a file is known by what it holds`(name: String) async throws {
        let text = line(0) + "\n" + line(1) + "\n"
        let array = NumpyFile.bytes(StandingFigure.row(.coco17), shape: [1, 17, 2])
        #expect(try await read(try write(name, text.utf8)).frames.count == 2)
        #expect(try await read(try write(name, Gzip.pack(Array(text.utf8)))).frames.count == 2)
        #expect(try await read(try write(name, array)).frames.count == 1)
    }

    @Test(arguments: [
        "RIFF????WEBPVP8 ", "hello, world\n", "1,2,3\n4,5,6\n", "#EXTM3U\n", "", "\u{0}\u{0}\u{0} ftypisom",
    ])
    func `what is no file of poses is not taken for one`(text: String) throws {
        #expect(!PoseSequenceReader.isSequence(try write("file.dat", text.utf8)))
    }

    // MARK: - Beyond the limits

    @Test func `an archive beyond the limits is refused`() throws {
        var huge = ZipArchive()
        let zeros = [UInt8](
            NumpyFile.bytes([Double](repeating: 0, count: 20_000 * 51), shape: [20_000, 17, 3], .float64))
        for name in 0..<3 { try huge.add(zeros, name: "\(name).npy") }
        var many = ZipArchive()
        for name in 0..<1001 { try many.add([1], name: "\(name).npy") }
        var small = PoseFileLimits()
        (small.bytes, small.ratio, small.ratioExemptBytes) = (20 << 20, 100, 1 << 20)
        for (bytes, words) in [(huge.finish(), "times its size"), (many.finish(), "is damaged")] {
            let url = try write("t.npz", bytes)
            let error = #expect(throws: KinemaError.self) {
                _ = try PoseSequenceReader(limits: small).frames(contentsOf: url)
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `a table whose rows name ever more joints is refused`() throws {
        let rows = (0..<601).map { "0,\($0),0.5,0.5" }.joined(separator: "\n")
        let url = try write("t.csv", "frame,landmark,x,y\n\(rows)\n".utf8)
        let error = #expect(throws: KinemaError.self) { _ = try PoseSequenceReader().frames(contentsOf: url) }
        #expect(error?.message.contains("names more than 600 joints") == true, "\(error?.message ?? "")")
    }

    // MARK: - Files of strangers

    @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
    func `files that strangers came with are read or refused for what they are`() async throws {
        for (name, frames) in [("ultralytics.jsonl", 3), ("decimal_comma.csv", 59), ("cut.jsonl", 29)] {
            let read = try await read(SharedData.file("mend/\(name)"))
            #expect(
                read.frames.count == frames && read.frames.allSatisfy { !$0.poses.isEmpty },
                "\(name): \(read.frames.count)")
            #expect(read.findings.count == (name == "cut.jsonl" ? 1 : 0))
        }
        for name in ["h36m_mm.npy", "kinect25_m.npy"] {
            let error = await #expect(throws: KinemaError.self) { _ = try await read(SharedData.file("mend/\(name)")) }
            #expect(error?.message.contains("joints with x, y and a depth that lie") == true, "\(error?.message ?? "")")
        }
    }
}

extension SIMD2<Double> {
    fileprivate func rounded(_ isShare: Bool) -> Self { isShare ? self : rounded(.toNearestOrEven) }
}
