import Foundation
import KinemaCore
import KinemaDraw
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaCommands

/// How much of a skeleton in a person's colour lies where the truth says.
struct SkeletonSight {
    private static let keys: [JointKey] = [
        .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle,
        .rightAnkle,
    ]

    /// The share of visible joints with the person's colour within 3.5 % of the picture's height; nil when fewer than five
    /// joints are visible.
    static func share(of picture: Bitmap, truth: Truth.Frame, person: Int) -> Double? {
        let joints = keys.compactMap { truth.keypoints[$0.rawValue] }.filter { $0.visibility == .visible }
        guard joints.count >= 5 else { return nil }
        let reach = Int(0.035 * Double(picture.height))
        let found = joints.count { joint in
            let (x, y) = (Int(joint.x * Double(picture.width)), Int((1 - joint.y) * Double(picture.height)))
            return (y - reach...y + reach).contains { row in
                (x - reach...x + reach).contains { column in
                    (0..<picture.width).contains(column) && (0..<picture.height).contains(row)
                        && isClose(picture[column, row], to: .person(person))
                }
            }
        }
        return Double(found) / Double(joints.count)
    }

    /// Compression with a quarter of the colour's resolution blurs thin lines.
    private static func isClose(_ pixel: (red: UInt8, green: UInt8, blue: UInt8), to color: Color) -> Bool {
        let way = [
            Double(pixel.red) - color.red * 255, Double(pixel.green) - color.green * 255,
            Double(pixel.blue) - color.blue * 255,
        ]
        return way.reduce(0) { $0 + $1 * $1 } < 60 * 60
    }
}

extension CommandTests {
    /// Overlays: skeletons on the figures, at the source's times.
    struct OverlayTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test func `a video that changes its size is drawn at its first`() async throws {
            let (small, large) = (folder.file("small.ts"), folder.file("large.ts"))
            let squat = try Clips.squat.get().path
            try Tool.ffmpeg("-i \(squat) -vf scale=240:180 -frames:v 8 -c:v libx264", small)
            try Tool.ffmpeg("-i \(squat) -frames:v 8 -c:v libx264 -output_ts_offset 3", large)
            let both = folder.file("both.ts")
            try (Data(contentsOf: small) + Data(contentsOf: large)).write(to: both)
            let overlay = folder.file("overlay.mp4")
            let run = try await Program.run("pose", both.path, "--overlay", overlay.path)
            #expect(run.status == 0 && run.complaints.isEmpty, "\(run.status) \(run.complaint)")
            let drawn = try await Clips.frames(of: overlay)
            #expect(drawn.count == 16 && drawn.allSatisfy { $0.width == 240 && $0.height == 180 })
        }

        @Test func `skeletons lie on the figures at the sources times`() async throws {
            let clip = try Clips.pair.get()
            let overlay = folder.file("overlay.mp4")
            let run = try await Program.run(
                "pose", clip.path, "--format", "jsonl", "--overlay", overlay.path)
            try #require(run.status == 0, "\(run.complaint)")
            let (before, after) = (try await Clips.frames(of: clip), try await Clips.frames(of: overlay))
            #expect(after.map(\.id.rangeInSeconds) == before.map(\.id.rangeInSeconds))
            let truth = Clips.pairScene.truth()
            var looks = 0
            for frame in stride(from: 0, to: before.count, by: 10) {
                let poses = try Contract.decode(Contract.Frame.self, from: run.lines[frame]).people
                let (plain, drawn) = (try before[frame].bitmap(), try after[frame].bitmap())
                for person in truth.people {
                    let root = try #require(person.frames[frame].keypoints["root"])
                    let near = poses.min {
                        abs(($0.keypoints["root"]?[0] ?? 9) - root.x) < abs(($1.keypoints["root"]?[0] ?? 9) - root.x)
                    }
                    let id = try #require(near?.id)
                    let real = person.frames[frame]
                    guard let share = SkeletonSight.share(of: drawn, truth: real, person: id) else { continue }
                    looks += 1
                    #expect(share > 0.7, "frame \(frame), person \(id)")
                    let bare = SkeletonSight.share(of: plain, truth: real, person: id)
                    #expect(bare ?? 1 < 0.3, "frame \(frame), person \(id): the colour is the figure's own")
                }
            }
            #expect(looks > before.count / 10)
        }

        @Test func `heads are hidden behind coarse squares, and without an overlay nothing is`() async throws {
            let (overlay, clip) = (folder.file("hidden.mp4"), try Clips.pairStart.get())
            let run = try await Program.run("count", clip.path, "--overlay", overlay.path, "--hide", "faces")
            try #require(run.status == 0, "\(run.complaint)")
            let (before, after) = (try await Clips.frames(of: clip), try await Clips.frames(of: overlay))
            #expect(after.map(\.id.rangeInSeconds) == before.map(\.id.rangeInSeconds))
            /// The mean step of brightness from a pixel to the next within a tenth of the picture's height.
            func roughness(_ bitmap: Bitmap, _ x: Double, _ y: Double) -> Double {
                let (column, row) = (Int(x * Double(bitmap.width)), Int((1 - y) * Double(bitmap.height)))
                let reach = bitmap.height / 40
                var (sum, count) = (0, 0)
                for y in max(0, row - reach)..<min(bitmap.height, row + reach) {
                    for x in max(0, column - reach)..<min(bitmap.width - 1, column + reach) {
                        sum += abs(Int(bitmap[x, y].green) - Int(bitmap[x + 1, y].green))
                        count += 1
                    }
                }
                return Double(sum) / Double(max(1, count))
            }
            var (plain, hidden): ([Double], [Double]) = ([], [])
            let people = Clips.pairScene.truth().people
            for frame in stride(from: 0, to: before.count, by: 4) {
                let (one, other) = (try before[frame].bitmap(), try after[frame].bitmap())
                for person in people {
                    let nose = try #require(person.frames[frame].keypoints["nose"])
                    guard nose.visibility == .visible else { continue }
                    plain.append(roughness(one, nose.x, nose.y))
                    hidden.append(roughness(other, nose.x, nose.y))
                }
            }
            let (was, now) = (plain.reduce(0, +) / Double(plain.count), hidden.reduce(0, +) / Double(hidden.count))
            #expect(plain.count > 10 && now < 0.6 * was, "\(now) of \(was)")
            let alone = try await Program.run("count", clip.path, "--hide", "faces")
            #expect(alone.status == 64 && alone.complaint.contains("--hide requires --overlay"), "\(alone.complaint)")
            let other = try await Program.run("count", clip.path, "--overlay", overlay.path, "--hide", "hands")
            #expect(other.status == 64 && other.complaint.contains("faces"), "\(other.complaint)")
        }

        @Test func `uneven times are kept`() async throws {
            let (uneven, overlay) = (folder.file("uneven.mp4"), folder.file("overlay.mp4"))
            var writer = try VideoWriter(url: uneven, width: 320, height: 240, timescale: 1000)
            var time = 0
            for length in [33, 40, 100, 7, 250, 33, 61] {
                try writer.append(Bitmap(width: 320, height: 240, green: 90), at: time..<time + length)
                time += length
            }
            try writer.finish()
            _ = try await Program.run("pose", uneven.path, "--overlay", overlay.path)
            let times = try await Clips.frames(of: overlay).map(\.id.rangeInSeconds)
            #expect(times.map(\.lowerBound) == [0, 0.033, 0.073, 0.173, 0.18, 0.43, 0.463])
            #expect(abs((times.last?.upperBound ?? 0) - 0.524) < 1e-9)
        }

        @Test func `the overlay of a picture is a picture`() async throws {
            let (still, overlay) = (folder.file("still.png"), folder.file("overlay.png"))
            try Tool.ffmpeg("-i \(Clips.squat.get().path) -frames:v 1", still)
            let run = try await Program.run("pose", still.path, "--overlay", overlay.path)
            try #require(run.status == 0, "\(run.complaint)")
            #expect(try Data(contentsOf: overlay).starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let drawn = try #require(try await Clips.frames(of: overlay).first).bitmap()
            let truth = Clips.squatScene.truth().people[0].frames[0]
            #expect(drawn.width == 480 && SkeletonSight.share(of: drawn, truth: truth, person: 1) ?? 0 > 0.7)
        }

        @Test func `the demonstration counts its truth and shows the skeleton`() async throws {
            let run = try await Program.run("demo", "--output", folder.url.path)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let scene = SynthScene.demo
            // The stored clip shows the scene.
            let truth = scene.truth()
            #expect(truth.count == DemoClip.repetitions)
            #expect(run.text.contains("demo.mp4: \(truth.count) repetitions in "), "\(run.text)")
            #expect(run.text.contains("\(truth.count) repetitions, counted correctly"))
            let overlay = folder.file("demo-overlay.mp4")
            #expect(run.lines.last == "watch it: \(overlay.path)")
            var frame = 0
            for try await element in try await VideoReader.read(contentsOf: overlay) {
                if frame % 30 == 0 {
                    let person = truth.people[0].frames[frame]
                    #expect(
                        SkeletonSight.share(of: try element.feature.bitmap(), truth: person, person: 1) ?? 0 > 0.7,
                        "frame \(frame)")
                }
                frame += 1
            }
            #expect(frame == scene.frameCount)
        }
    }
}
