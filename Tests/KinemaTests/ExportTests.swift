import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// Exports of poses whose every number is known.
struct ExportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A person whose joint number n lies at (0.1 + n/100, 0.8 - n/100).
    private func pose(_ id: Int?, _ keys: [JointKey] = BodySkeleton.joints, shift: Double = 0) -> Pose {
        var pose = Pose(from: [:])
        pose.id = id
        pose.confidence = 0.75
        for (index, key) in BodySkeleton.joints.enumerated() where keys.contains(key) {
            let location = CGPoint(x: 0.1 + Double(index) / 100 + shift, y: 0.8 - Double(index) / 100)
            pose.keypoints[key] = JointPoint(key, location: location, confidence: 0.9)
            pose.keypoints3D[key] = JointPoint3D(
                key, position: [Float(index), 1 - Float(index) / 2, 0.125], confidence: 0.9)
        }
        return pose
    }

    private func write(_ format: PoseExportFormat, to name: String, _ frames: [[Pose]]) throws {
        var export = format.makeExport(to: folder.file(name), source: "clips/film one.mp4")
        for (index, poses) in frames.enumerated() {
            try export.add(
                ExportedFrame(index: index, time: Double(index) / 10, width: 200, height: 100, poses: poses))
        }
        try export.finish()
    }

    private func json(_ name: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.file(name)))
        return try #require(value as? [String: Any])
    }

    @Test func `coco counts pixels from the top`() throws {
        try write(.coco, to: "c.json", [[pose(4), pose(nil)], [], [pose(4, [.nose, .leftEye])]])
        let coco = try json("c.json")
        let images = try #require(coco["images"] as? [[String: Any]])
        #expect(images.map { $0["id"] as? Int } == [0, 1, 2])
        #expect(images.map { $0["file_name"] as? String } == (0..<3).map { "frame_00000\($0).png" })
        let people = try #require(coco["annotations"] as? [[String: Any]])
        #expect(people.map { $0["image_id"] as? Int } == [0, 0, 2] && people.map { $0["id"] as? Int } == [1, 2, 3])
        #expect(people.map { $0["track_id"] as? Int } == [4, nil, 4])
        let points = try #require(people[0]["keypoints"] as? [Double])
        // Nose: joint 0; left shoulder: joint 6 of the skeleton, 5 of COCO.
        #expect(Array(points[0..<3]) == [20, 20, 2] && Array(points[15..<18]) == [32, 26, 2])
        let few = try #require(people[2]["keypoints"] as? [Double])
        #expect(Array(few[0..<9]) == [20, 20, 2, 22, 21, 2, 0, 0, 0] && people[2]["num_keypoints"] as? Int == 2)
        #expect(people[2]["bbox"] as? [Double] == [20, 20, 2, 1])
    }

    @Test func `joints outside the picture are unlabelled in COCO`() throws {
        try write(.coco, to: "c.json", [[pose(1, shift: 0.9)]])
        let people = try #require(try json("c.json")["annotations"] as? [[String: Any]])
        #expect((people[0]["keypoints"] as? [Double])?[3...5] == [0, 0, 0])
    }

    @Test(arguments: [PoseExportFormat.openpose, .trc]) func `of several files all are written or none`(
        format: PoseExportFormat
    ) throws {
        // A folder stands where the second file would be.
        let taken = format == .openpose ? "o/film one_000000000001_keypoints.json" : "o/x_person5.trc"
        try FileManager.default.createDirectory(at: folder.file(taken), withIntermediateDirectories: true)
        #expect(throws: (any Error).self) {
            try write(format, to: format == .openpose ? "o" : "o/x.trc", [[pose(4), pose(5)], [pose(4), pose(5)]])
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("o").path)
        #expect(left.map { "o/\($0)" } == [taken])
    }

    @Test func `OpenPose follows BODY 25`() throws {
        try write(.openpose, to: "o", [[pose(4)], []])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("o").path).sorted()
        #expect(names == ["film one_000000000000_keypoints.json", "film one_000000000001_keypoints.json"])
        let people = try #require(try json("o/\(names[0])")["people"] as? [[String: Any]])
        let points = try #require(people[0]["pose_keypoints_2d"] as? [Double])
        #expect(points.count == 75 && people[0]["person_id"] as? [Int] == [4])
        for (place, key) in [(0, JointKey.nose), (1, .neck), (2, .rightShoulder), (8, .root), (14, .leftAnkle)] {
            let index = Double(try #require(BodySkeleton.joints.firstIndex(of: key)))
            #expect(
                abs(points[place * 3] - (20 + 2 * index)) < 1e-6 && abs(points[place * 3 + 1] - (20 + index)) < 1e-6)
        }
        #expect((try json("o/\(names[1])")["people"] as? [Any])?.isEmpty == true)
    }

    private func cells(_ name: String) throws -> [[String]] {
        try String(contentsOf: folder.file(name), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    @Test func `markers keep their metres and gaps are filled`() throws {
        var moved = pose(1, [.nose])
        moved.keypoints3D[.nose]?.position = [2, 3, 0.125]
        try write(.trc, to: "t.trc", [[pose(1)], [], [moved]])
        let lines = try cells("t.trc")
        #expect(lines[0][3] == "t.trc" && lines[2][2] == "3" && lines[2][0] == "10")
        // Nose first, then the neck, joint 5: the one between its two places, the other where it was last.
        let neck = ["5.00000", "-1.50000", "0.12500"]
        #expect(Array(lines[5].prefix(8)) == ["1", "0.000000", "0.00000", "1.00000", "0.12500"] + neck)
        #expect(Array(lines[6].prefix(8)) == ["2", "0.100000", "1.00000", "2.00000", "0.12500"] + neck)
        #expect(Array(lines[7].prefix(8)) == ["3", "0.200000", "2.00000", "3.00000", "0.12500"] + neck)
        #expect(lines[5...7].allSatisfy { $0.count == lines[5].count && !$0.contains("") })
    }

    @Test func `a long gap is filled with what was last seen`() throws {
        var moved = pose(1)
        moved.keypoints3D[.nose]?.position = [7, 7, 7]
        try write(.trc, to: "t.trc", [[pose(1)]] + Array(repeating: [], count: 101) + [[moved]])
        let noses = try cells("t.trc").dropFirst(5).dropLast().map { $0[2] }
        #expect(noses.count == 103 && noses.dropLast().allSatisfy { $0 == "0.00000" } && noses.last == "7.00000")
    }

    @Test func `rows are even where the camera was not`() throws {
        // Ten frames a second with a tremble, a lost frame, and the person from the third frame on.
        let times = [0, 0.1, 0.204, 0.297, 0.5, 0.601, 0.7, 0.8]
        var export = PoseExportFormat.trc.makeExport(to: folder.file("t.trc"), source: "film.mp4")
        for (index, time) in times.enumerated() {
            var one = pose(1)
            one.keypoints3D[.nose]?.position = [Float(time), 0, 0]
            try export.add(
                ExportedFrame(index: index, time: time, width: 9, height: 9, poses: index < 2 ? [] : [one]))
        }
        try export.finish()
        let lines = try cells("t.trc")
        let rate = try #require(Double(lines[2][0]))
        let rows = lines.dropFirst(5).dropLast().map { $0.compactMap(Double.init) }
        #expect(abs(rate - 10) < 0.1 && lines[2][2] == "7" && rows.count == 7)
        for (index, row) in rows.enumerated() {
            #expect(abs(row[1] - Double(index + 2) / rate) < 1e-6)
            // The nose is where the clock is, except before its first sample.
            #expect(abs(row[2] - max(row[1], 0.204)) < 2e-5, "\(row[1]) \(row[2])")
        }
    }

    @Test func `markers of two people lie in files of their own names`() throws {
        try write(.trc, to: "t.trc", [[pose(1), pose(7)], [pose(7)]])
        for id in [1, 7] {
            let text = try String(contentsOf: folder.file("t_person\(id).trc"), encoding: .utf8)
            #expect(text.hasPrefix("PathFileType\t4\t(X/Y/Z)\tt_person\(id).trc\n"))
        }
    }

    @Test func `tables leave what is missing empty`() throws {
        try write(.csv, to: "t.csv", [[pose(nil, [.nose])], [], [pose(2)]])
        let rows = try String(contentsOf: folder.file("t.csv"), encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(rows.count == 3 && rows.allSatisfy { $0.count == 8 + 3 * CSVExport.joints.count })
        #expect(rows[1].prefix(14) == ["0", "0", "", "0.75", "0.1", "0.8", "0", "0", "0.1", "0.8", "0.9", "", "", "0"])
        #expect(rows[2][0] == "2" && rows[2][2] == "2")
    }

    @Test(arguments: PoseExportFormat.allCases) func `nothing is left where nothing can be written`(
        format: PoseExportFormat
    ) {
        let error = #expect(throws: KinemaError.self) {
            try Data("file".utf8).write(to: folder.file("file"))
            try write(format, to: "file/x", [[pose(1)]])
        }
        #expect(error?.code == .unwritableOutput && error?.description.contains("\n") == false)
    }
}
