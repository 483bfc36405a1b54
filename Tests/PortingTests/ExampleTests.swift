import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Testing

/// The example programs, run as processes of their own; what they write is looked at.
struct ExampleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ name: String, _ arguments: String...) throws -> (
        status: Int32, output: String, complaint: String
    ) {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let process = Process()
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: name)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        let (output, complaint) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let words = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text, words)
    }

    /// How many of a film's frames there are, and in how many a part differs from what was filmed by more than compression
    /// does: from the left and the top, shares of the picture.
    private func drawn(_ film: URL, on scene: SynthScene, x: Range<Double>, y: Range<Double>) async throws -> (
        frames: Int, changed: Int
    ) {
        var (frames, changed) = (0, 0)
        for try await element in try await VideoReader.read(contentsOf: film) {
            // One frame a second is enough to look at.
            if frames % 30 == 0 {
                let (seen, bare) = (try element.feature.bitmap(), scene.bitmap(at: frames))
                var (sum, count) = (0, 0)
                for row in Int(y.lowerBound * Double(seen.height))..<Int(y.upperBound * Double(seen.height)) {
                    for column in Int(x.lowerBound * Double(seen.width))..<Int(x.upperBound * Double(seen.width)) {
                        sum += abs(Int(seen[column, row].green) - Int(bare[column, row].green))
                        count += 1
                    }
                }
                if sum > 30 * count { changed += 1 }
            }
            frames += 1
        }
        return (frames, changed)
    }

    @Test func `the built-in scene is counted to its end, and the video shows the count`() async throws {
        let film = folder.file("jacks.mp4")
        let run = try run("CountMyActions", "--demo", film.path)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0, "\(run.complaint)")
        #expect(lines.last?.hasPrefix("8 repetitions") == true, "\(run.output)")
        #expect(lines.dropLast().compactMap { Int($0.split(separator: " ").last ?? "") }.last == 8)
        // The plate with the count stands at the upper left.
        let drawn = try await drawn(film, on: .demo, x: 0.03..<0.13, y: 0.04..<0.22)
        #expect(drawn.frames == SynthScene.demo.frameCount)
        #expect(drawn.changed == (drawn.frames + 29) / 30, "\(drawn)")
    }

    @Test func `a rendered game of bean-bag toss becomes a video with the board and the points`() async throws {
        let scene = SynthScene.toss(seed: 29)
        let (clip, film) = (folder.file("game.mp4"), folder.file("film.mp4"))
        try RenderedVideo.write(scene, to: clip)
        let run = try run("BeanBagToss", clip.path, film.path)
        let truth = try #require(scene.tossTruth)
        let (flights, points) = (truth.flights.count, truth.flights.reduce(0) { $0 + $1.score })
        #expect(run.status == 0 && run.output.contains("\(flights) throws, \(points) points"), "\(run.output)")
        // The dashboard stands at the upper left.
        let drawn = try await drawn(film, on: scene, x: 0.02..<0.4, y: 0.03..<0.25)
        #expect(drawn.frames == scene.frameCount && drawn.changed > 1, "\(drawn)")
    }

    @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
    func `what a hand draws in the air becomes a picture of lines`() throws {
        let clip = SharedData.file("hands/asl/no.mkv").path
        let (picture, page) = (folder.file("drawing.png"), folder.file("AirDrawing.svg"))
        let run = try run("AirDrawing", clip, picture.path)
        #expect(run.status == 0 && run.output.hasPrefix("3 lines"), "\(run.output)\(run.complaint)")
        let drawing = try ImageReader.read(contentsOf: picture).bitmap()
        #expect(drawing.width == 640 && drawing.height == 480)
        let ink = stride(from: 0, to: drawing.pixels.count, by: 4).count { drawing.pixels[$0] < 250 }
        #expect((20...20_000).contains(ink), "\(ink)")
        // Without a name the drawing is an SVG beside.
        #expect(try self.run("AirDrawing", clip).status == 0)
        #expect(try String(contentsOf: page, encoding: .utf8).contains("<svg"))
    }

    @Test(arguments: ["CountMyActions", "AirDrawing", "BeanBagToss"])
    func `a file that is missing ends it with one line`(name: String) throws {
        let run = try run(name, "/nowhere/clip.mp4")
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.complaint.split(separator: "\n").count == 1)
        #expect(run.complaint.contains("/nowhere/clip.mp4"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}

/// The rule of Documentation/AddingAnExercise.md.
struct HandsUpRule: ExerciseRule {
    let name = "Hands up"
    private var isUp = false

    mutating func evaluate(
        joints: [HumanBodyPoseObservation.PoseJointName: Joint], currentRepCount: Int
    ) -> RepCounterUpdate {
        guard let wrist = joints[.rightWrist], let shoulder = joints[.rightShoulder], wrist.confidence > 0.5 else {
            return RepCounterUpdate(didIncrementRep: false, phase: "tracking lost", debugMessage: "no right arm")
        }
        let height = wrist.location.y - shoulder.location.y
        let wasUp = isUp
        if height > 0.1 { isUp = true } else if height < -0.1 { isUp = false }
        return RepCounterUpdate(
            didIncrementRep: wasUp && !isUp, phase: isUp ? "up" : "down", debugMessage: "height=\(height)")
    }

    mutating func reset() { isUp = false }
}

struct OwnRuleTests {
    @Test func `your own rule counts a video`() async throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("jacks.mp4")
        let settings = SynthScene.Settings(width: 480, height: 360, frameRate: FrameRate(timescale: 15))
        try RenderedVideo.write(
            .exercise(.jumpingJack, repetitions: 3, seed: 5, view: .front, settings: settings), to: clip)
        var counter = ExerciseRepCounter(rule: HandsUpRule())
        let frames = try await VideoReader.read(contentsOf: clip)
        for try await element in PosePipeline()(frames) {
            let joints = element.feature.poses.first.map { HumanBodyPoseObservation($0).allJoints() } ?? [:]
            counter.processPose(joints)
        }
        #expect(counter.currentReps == 3 && counter.currentPhase == "down")
    }
}
