import Foundation
import KinemaTestSupport
import KinemaSynth
import Testing

extension CommandTests {
    /// What other programs read back.
    struct ExportTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func export(_ format: String, to name: String, of clip: URL) async throws {
            let run = try await Program.run(
                "pose", clip.path, "--export", format, "--output", folder.file(name).path)
            try #require(run.status == 0, "\(run.complaint)")
        }

        private struct COCO: Decodable {
            struct Image: Decodable { var id: Int, width: Int, height: Int }
            struct Annotation: Decodable {
                var image_id: Int, category_id: Int, keypoints: [Double], num_keypoints: Int, bbox: [Double]
                var score: Double, track_id: Int
            }
            struct Category: Decodable { var id: Int, name: String, keypoints: [String] }
            var images: [Image], annotations: [Annotation], categories: [Category]
        }

        @Test func `coco has seventeen joints in pixels from the top`() async throws {
            try await export("coco", to: "poses.json", of: Clips.squat.get())
            let coco = try JSONDecoder().decode(COCO.self, from: Data(contentsOf: folder.file("poses.json")))
            #expect(coco.images.map(\.id) == Array(0..<Clips.squatScene.frameCount))
            #expect(coco.images.allSatisfy { $0.width == 480 && $0.height == 360 })
            #expect(coco.annotations.map(\.image_id) == coco.images.map(\.id))
            #expect(coco.categories.first?.keypoints.count == 17)
            for annotation in coco.annotations {
                #expect(annotation.keypoints.count == 51 && annotation.category_id == 1 && annotation.track_id == 1)
                let (noseY, ankleY) = (annotation.keypoints[1], annotation.keypoints[15 * 3 + 1])
                #expect(noseY < ankleY && ankleY <= 360)
                let box = annotation.bbox
                #expect(box.count == 4 && noseY >= box[1] - 0.02 && ankleY <= box[1] + box[3] + 0.02)
            }
        }

        private struct OpenPose: Decodable {
            struct Person: Decodable { var person_id: [Int], pose_keypoints_2d: [Double] }
            var version: Double, people: [Person]
        }

        @Test func `OpenPose has one file a frame of twenty five joints`() async throws {
            try await export("openpose", to: "open", of: Clips.squat.get())
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("open").path).sorted()
            #expect(names.count == Clips.squatScene.frameCount)
            #expect(names.first == "squat_000000000000_keypoints.json")
            for name in names {
                let file = folder.file("open").appending(path: name)
                let people = try JSONDecoder().decode(OpenPose.self, from: Data(contentsOf: file)).people
                let joints = try #require(people.first?.pose_keypoints_2d)
                // 0 is the nose, 14 the left ankle.
                #expect(people.count == 1 && joints.count == 75 && joints[1] < joints[14 * 3 + 1])
            }
        }

        @Test func `tables in a file are those on standard output`() async throws {
            let clip = try Clips.squat.get()
            let file = folder.file("poses.csv")
            let run = try await Program.run(
                "pose", clip.path, "--format", "csv", "--export", "csv", "--output", file.path)
            #expect(run.status == 0)
            #expect(try Data(contentsOf: file) == run.output)
        }

        /// A TRC file taken apart as OpenSim does.
        private func checkMarkers(_ url: URL, frames: Int) throws {
            let text = try String(contentsOf: url, encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            try #require(lines.count == frames + 6, "five lines of header, one a frame, the end of the last")
            let header = Dictionary(uniqueKeysWithValues: zip(lines[1], lines[2]))
            #expect(lines[0][3] == url.lastPathComponent)
            let markers = try #require(header["NumMarkers"].flatMap(Int.init))
            #expect(header["NumFrames"] == "\(frames)" && header["Units"] == "m")
            #expect(header["DataRate"] == "\(Clips.rate)")
            #expect(lines[3].filter { !$0.isEmpty }.count == markers + 2)
            #expect(lines[4].filter { !$0.isEmpty }.count == markers * 3)
            let heads = lines[3].enumerated().filter { !$0.element.isEmpty }.dropFirst(2).map(\.offset)
            #expect(heads == (0..<markers).map { 2 + 3 * $0 }, "each name stands over its X")
            for (index, row) in lines[5..<(5 + frames)].enumerated() {
                #expect(row.count == 2 + 3 * markers && row[0] == "\(index + 1)")
                #expect(row.allSatisfy { $0.isEmpty || Double($0)?.isFinite == true })
                #expect(abs((Double(row[1]) ?? -1) - Double(index) / Double(Clips.rate)) < 1e-4)
            }
        }

        @Test func `markers of one person lie in one file`() async throws {
            try await export("trc", to: "poses.trc", of: Clips.squat.get())
            try checkMarkers(folder.file("poses.trc"), frames: Clips.squatScene.frameCount)
        }

        @Test func `markers of two people lie in two files`() async throws {
            try await export("trc", to: "poses.trc", of: Clips.pairStart.get())
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
            #expect(names == ["poses_person1.trc", "poses_person2.trc"])
            for name in names { try checkMarkers(folder.file(name), frames: Clips.pairStartFrames) }
        }
    }
}
