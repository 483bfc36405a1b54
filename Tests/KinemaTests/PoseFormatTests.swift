@testable import KinemaFormats
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema

/// The formats of other programs: JSON, folders and tables.
struct PoseFormatTests: PoseFormatSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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
            #expect(read.frames.count == 5 && read.note.contains("17 joints read as COCO's"), "\(name): \(read.note)")
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

    @Test func `people without joints are nobody, and more people than fit into a frame are refused`() async throws {
        let points = pixels(0).map { list([$0.x, $0.y, 0.9]) }.joined(separator: ",")
        let crowd = [String](repeating: "{}", count: 1000).joined(separator: ",")
        let lines = ["[{\"keypoints\":[\(points)]}]", "[\(crowd)]", "[{\"keypoints\":[]}]"]
        let read = try await read(try write("t.jsonl", lines.joined(separator: "\n").utf8))
        #expect(read.frames.map(\.poses.count) == [1, 0, 0])
        for frame in ["[\(crowd),{}]", "{\"people\":[\(crowd),{}]}"] {
            let text = "\(lines[0])\n\(frame)\n"
            expectRefusal(of: try write("t.jsonl", text.utf8), "frame 1 has more than 1000 people")
        }
    }

    @Test func `joints in space are no places in the picture`() async throws {
        let joints = (0..<17).map { _ in "[0.1,0.2,0.3]" }.joined(separator: ",")
        let scores = list([Double](repeating: 1, count: 17))
        let text = "[{\"frame_id\":0,\"instances\":[{\"keypoints\":[\(joints)],\"keypoint_scores\":\(scores)}]}]"
        expectRefusal(of: try write("3d.json", text.utf8), "joints in space (x, y, z)")
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
        expectRefusal(of: folder.file("run"), "line 1 is not class, box and joints")
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
}
