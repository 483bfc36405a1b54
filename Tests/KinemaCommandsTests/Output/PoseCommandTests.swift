import Foundation
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `kinema pose` on a rendered person.
    struct PoseCommandTests {
        private let clip: URL
        private let frameCount = Clips.squatScene.frameCount

        init() throws {
            clip = try Clips.squat.get()
        }

        @Test func `json lines have every frame with the contracts keys`() async throws {
            let run = try await Program.run("pose", clip.path, "--format", "jsonl")
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let frames = try run.lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            #expect(frames.map(\.frame) == Array(0..<frameCount))
            for frame in frames {
                #expect(abs(frame.time - Double(frame.frame) / Double(Clips.rate)) < 1e-5)
                #expect(frame.hands.isEmpty)
                #expect(frame.people.map(\.id) == [1])
                let person = try #require(frame.people.first)
                #expect((0.5...1).contains(person.confidence))
                #expect(person.box.count == 4 && person.box.allSatisfy { (0...1).contains($0) })
                for name in ["nose", "neck", "root", "leftWrist", "rightAnkle", "leftHeel", "rightThumb"] {
                    #expect(person.keypoints[name]?.count == 3 && person.keypoints3D[name]?.count == 4, "\(name)")
                }
            }
            // Upright, and the origin is at the lower left.
            let joints = try #require(frames.first?.people.first?.keypoints)
            let (nose, ankle) = (try #require(joints["nose"]), try #require(joints["leftAnkle"]))
            #expect(nose[1] - ankle[1] > 0.4 && (0...1).contains(ankle[1]) && (0...1).contains(nose[1]))
            let truth = try #require(Clips.squatScene.truth().people[0].frames[0].keypoints["nose"])
            #expect(abs(nose[0] - truth.x) < 0.03 && abs(nose[1] - truth.y) < 0.04)
        }

        @Test(arguments: [
            ("transpose=cclock", ["--rotate", "90"]), ("hflip,transpose=clock", ["--rotate=270", "--mirror"]),
        ])
        func `a camera mounted sideways or mirrored gives the poses of an upright one`(
            filter: String, options: [String]
        ) async throws {
            let sideways = try Clips.folder.get().file("sideways.mp4")
            try Tool.ffmpeg("-i \(clip.path) -frames:v 15 -vf \(filter) -c:v libx264 -qp 1", sideways)
            let upright = try await Program.run("pose", clip.path, "--format", "jsonl", "--every", "5")
            let overlay = try Clips.folder.get().file("turned.mp4")
            let turned = try await Program().run(
                ["pose", sideways.path, "--format", "jsonl", "--every", "5", "--overlay", overlay.path] + options)
            #expect(turned.status == 0 && turned.lines.count == 3, "\(turned.complaint)")
            for (one, other) in zip(upright.lines, turned.lines) {
                let frames = try [one, other].map { try Contract.decode(Contract.Frame.self, from: $0) }
                #expect(frames[0].time == frames[1].time && frames[1].people.count == 1)
                let joints = frames.map { $0.people.first?.keypoints ?? [:] }
                for name in ["nose", "leftShoulder", "rightShoulder", "leftAnkle", "rightAnkle"] {
                    let (a, b) = (try #require(joints[0][name]), try #require(joints[1][name]))
                    #expect(hypot(a[0] - b[0], a[1] - b[1]) < 0.02, "\(name) \(a) \(b)")
                }
            }
            let drawn = try await Clips.frames(of: overlay)
            // The overlay keeps the frames between those analysed.
            #expect(drawn.count == 15 && drawn[0].width == 480 && drawn[0].height == 360)
        }

        /// With 16 bits they may be off by a decimetre.
        @Test func `joints in space are computed with 32 bits`() async throws {
            let usual = try await Program.run("pose", clip.path, "--format", "jsonl", "--raw")
            let exact = try await Program.run("pose", clip.path, "--format", "jsonl", "--raw", "--precision", "f32")
            #expect(usual.status == 0 && exact.status == 0)
            let isSame = usual.output == exact.output
            #expect(isSame)
        }

        @Test func `every third frame keeps its own time`() async throws {
            let run = try await Program.run("pose", clip.path, "--format", "jsonl", "--every", "3")
            let frames = try run.lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            #expect(frames.count == (frameCount + 2) / 3 && frames.allSatisfy { $0.people.count == 1 })
            for (index, frame) in frames.enumerated() {
                #expect(abs(frame.time - Double(3 * index) / Double(Clips.rate)) < 1e-5)
            }
        }

        @Test func `json is one value`() async throws {
            let run = try await Program.run("pose", clip.path, "--format", "json")
            let poses = try Contract.decode(Contract.Poses.self, from: run.text)
            #expect(run.status == 0)
            #expect(poses.source == clip.path && poses.width == 480 && poses.height == 360)
            #expect(abs(poses.duration - Clips.squatScene.duration) < 1e-5)
            #expect(poses.frames.count == frameCount && poses.frames.allSatisfy { $0.people.count == 1 })
        }

        @Test func `tables have one row a person and frame`() async throws {
            let run = try await Program.run("pose", clip.path, "--format", "csv")
            #expect(run.status == 0)
            let rows = run.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
            #expect(rows.first?.prefix(8).joined(separator: ",") == "frame,time,id,confidence,x,y,width,height")
            #expect(rows.first?.contains("leftAnkle.confidence") == true)
            #expect(rows.count == frameCount + 1)
            #expect(rows.allSatisfy { $0.count == rows[0].count })
            #expect(rows.dropFirst().allSatisfy { $0.allSatisfy { Double($0)?.isFinite == true } })
        }

        @Test func `the report names the person the frames and the speed`() async throws {
            let run = try await Program.run("pose", clip.path)
            #expect(run.status == 0 && run.lines.count == 2)
            #expect(run.lines.first?.contains("\(frameCount) frames, ") == true, "\(run.text)")
            #expect(run.lines.last?.hasPrefix("person 1: \(frameCount) frames from 0.0 to ") == true, "\(run.text)")
        }

        @Test func `raw landmarks differ from smoothed one's`() async throws {
            let smooth = try await Program.run("pose", clip.path, "--format", "csv")
            let raw = try await Program.run("pose", clip.path, "--format", "csv", "--raw")
            #expect(raw.status == 0 && raw.lines.count == smooth.lines.count && raw.text != smooth.text)
        }

        @Test func `no more people than asked for`() async throws {
            let pair = try Clips.pairStart.get()
            let run = try await Program.run("pose", pair.path, "--format", "jsonl", "--max-people", "1")
            let frames = try run.lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            #expect(frames.count == Clips.pairStartFrames && frames.allSatisfy { $0.people.count == 1 })
        }

        @Test func `in an empty room no person is found`() async throws {
            let folder = try Clips.folder.get()
            let room = folder.file("room.png")
            try Tool.ffmpeg("-f lavfi -i color=c=gray:s=320x240 -frames:v 1", room)
            let run = try await Program.run("pose", room.path, "--format", "jsonl")
            #expect(run.status == 2)
            #expect(try Contract.decode(Contract.Frame.self, from: run.text).people.isEmpty)
            #expect(run.complaints.count == 1 && run.complaint.contains("no person"), "\(run.complaint)")
        }
    }
}
