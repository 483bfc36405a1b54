@testable import KinemaHistory
@testable import KinemaCounting
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing
@testable import KinemaStudio

struct LiveModeTests {
    @Test func `a crowd before the camera is reported with the model to use, since auto is blazepose there`() throws {
        let request = StartRequest(mode: .poses, source: .browser(name: nil))
        var analysis = try LiveAnalysis(request, LiveConfiguration())
        let picture = VideoFrame(
            bitmap: Bitmap(width: 8, height: 8, red: 90, green: 90, blue: 90),
            id: TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 30))
        let nose = JointPoint(.nose, location: CGPoint(x: 0.5, y: 0.5), confidence: 0.9)
        let people = (1...3).map { Pose(from: [.nose: nose], keypoints3D: [:], id: $0, confidence: 1) }
        _ = try analysis.take(PosedFrame(frame: picture, poses: people, hands: []))
        #expect(analysis.crowdNote?.hasSuffix("use --model tinypose-256x192") == true)
    }

    @Test func `count mode counts what was rendered`() async throws {
        let scene = SynthScene.exercise(.squat, repetitions: 4, seed: 3, view: .front, secondsPerRepetition: 1.6)
        let clip = try RenderedClip(scene, every: 2)
        let kept = StoredSessions()
        var configuration = LiveConfiguration()
        configuration.history = { session, _ in kept.add(session) }
        let client = LiveClient(LiveService(configuration))
        client.start("count")
        await clip.show(to: client)
        let ended = await client.stop()
        #expect(ended?["analysed"] as? Int == clip.pictures.count)
        #expect(client.all("repetition").count == scene.count)
        let last = try #require(client.all("result").last)
        let count = try #require(last["count"] as? [String: Any])
        #expect(count["count"] as? Int == scene.count)
        #expect(last["width"] as? Int == 640)
        let people = try #require(last["people"] as? [[String: Any]])
        #expect(people.count == 1)
        #expect((people.first?["keypoints"] as? [String: [Double]])?["leftKnee"]?.count == 3)
        #expect(client.all("state").contains { $0["state"] as? String == "live" })
        // The history has what the client was told.
        #expect(ended?["kept"] as? Bool == true)
        let session = try #require(kept.all.first)
        #expect(session.count == scene.count)
        #expect(session.repetitions.count == scene.count)
        #expect(session.source == "test")
        await client.leave()
    }

    @Test(.enabled(if: SharedData.isPresent, "needs the PoseNet models; KINEMA_SHARED says where they lie"))
    func `with a PoseNet model bodies are of its joints, without depth`() async throws {
        let file = SharedData.folder.appending(
            path: "models/posenet/posenet_mobilenet_v1_075_353_481_quant.tflite")
        var configuration = LiveConfiguration()
        configuration.finder.model = .poseNet(PoseNetOptions(model: try PoseNetModel(contentsOf: file)))
        let clip = try RenderedClip(SynthScene.exercise(.squat, repetitions: 1, seed: 4, view: .front), every: 2)
        let service = LiveService(configuration)
        try await service.prepare()
        let client = LiveClient(service)
        client.start("poses")
        await clip.show(to: client)
        _ = await client.stop()
        let joints = client.all("result").flatMap { $0["people"] as? [[String: Any]] ?? [] }
            .compactMap { $0["keypoints"] as? [String: Any] }
        #expect(!joints.isEmpty && joints.allSatisfy { $0.count <= 19 && $0["leftHeel"] == nil })
        await client.leave()
    }

    @Test(arguments: [true, false])
    func `people at rest are held where that is wanted, and said to be`(holds: Bool) async throws {
        var configuration = LiveConfiguration()
        configuration.finder.holdsPeopleAtRest = holds
        let service = LiveService(configuration)
        try await service.prepare()
        let client = LiveClient(service)
        client.start("poses")
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 4, view: .front)
        let picture = try JPEGEncoder().jpeg(scene.videoFrame(0)).bytes
        for index in 0..<30 { _ = await client.showAndWait(picture, at: 1000 + Double(index) / 30) }
        _ = await client.stop()
        let people = client.all("result").flatMap { $0["people"] as? [[String: Any]] ?? [] }
        #expect(people.count > 25)
        #expect(people.contains { $0["held"] as? Bool == true } == holds)
        #expect(holds || people.allSatisfy { $0["held"] == nil })
        await client.leave()
    }

    @Test func `the strip of an exercise not recognised yet shows movement`() async throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, secondsPerRepetition: 2)
        let clip = try RenderedClip(scene)
        let client = LiveClient(LiveService())
        client.start("coach", #","exercise":"auto""#)
        await clip.show(to: client)
        let told = client.all("result").compactMap { $0["coach"] as? [String: Any] }
        let early = told.filter { $0["exercise"] is NSNull }.compactMap { $0["signal"] as? Double }
        #expect(early.count > 30)
        #expect((early.max() ?? 0) - (early.min() ?? 0) > 0.3)
        _ = await client.stop()
        await client.leave()
    }

    @Test func `an exercise of one's own can be chosen and is told by its title`() async throws {
        let motion = ExerciseMotion(measure: .knee, rest: 170, full: 80, minimumSwing: 27, phases: .upFirst)
        let own = Exercise(
            name: "dip", title: "Knee dip", kind: .repetitions(motion),
            traits: [BodyTrait(.knee, .range, 27...180, tolerance: 7)])
        var configuration = LiveConfiguration()
        configuration.exercises = [own] + ExerciseLibrary.all
        let service = LiveService(configuration)
        #expect(service.status().exercises.first == LiveStatus.Exercise(name: "dip", title: "Knee dip"))
        let clip = try RenderedClip(
            SynthScene.exercise(.squat, repetitions: 2, seed: 3, view: .front, secondsPerRepetition: 2), every: 2)
        let client = LiveClient(service)
        client.start("coach", #","exercise":"Dip""#)
        await clip.show(to: client)
        _ = await client.stop()
        let told = client.all("result").compactMap { $0["coach"] as? [String: Any] }
        #expect(told.last?["title"] as? String == "Knee dip" && told.last?["count"] as? Int == 2)
        #expect(client.all("repetition").count == 2)
        await client.leave()
    }

    @Test func `what a shown exercise cannot judge is told once there is a repetition`() throws {
        let frames = (0..<300).map { index in
            let time = Double(index) / 30
            return (time, ServerExerciseTests.pose(0.5 - 0.5 * cos(.pi * max(0, min(8, time - 1)))))
        }
        var shown = Demonstration(aspectRatio: 1)
        for (time, pose) in frames { shown.append(pose, at: time) }
        shown.finish()
        var coach = ExerciseCoach(try Exercise(learnedFrom: [shown], name: "dip"), aspectRatio: 1)
        var told: [String] = []
        for (time, pose) in frames {
            var pose = pose
            for key in [JointKey.leftWrist, .rightWrist] {
                pose.keypoints[key] = JointPoint(key, location: CGPoint(x: 0.5, y: 0.5), confidence: 0.1)
            }
            coach.append(pose, at: time)
            var json = JSONText()
            json.object { $0.movement(of: coach) }
            told.append(String(decoding: json.bytes, as: UTF8.self))
        }
        #expect(coach.count > 0)
        #expect(told.first?.contains("unjudged") == false)
        let last = try #require(told.last)
        #expect(last.contains(#""unjudged":["#) && last.contains(#""hand""#), "\(last)")
    }

    @Test func `coach mode tells the faults of a faulty squat`() async throws {
        let scene = SynthScene.coached(.squat, fault: .shallow, seed: 5, repetitions: 3, view: .side)
        let clip = try RenderedClip(scene, every: 2)
        let client = LiveClient(LiveService())
        client.start("coach", #","exercise":"squat""#)
        await clip.show(to: client)
        let ended = await client.stop()
        let faults = client.events("repetition").flatMap { $0["faults"] as? [[String: Any]] ?? [] }
        #expect(faults.contains { $0["code"] as? String == "shallow" })
        let cues = client.all("result").flatMap { result -> [[String: Any]] in
            (result["coach"] as? [String: Any])?["cues"] as? [[String: Any]] ?? []
        }
        #expect(cues.contains { $0["code"] as? String == "shallow" })
        let red = client.all("result").flatMap { $0["people"] as? [[String: Any]] ?? [] }
            .flatMap { $0["faults"] as? [String] ?? [] }
        #expect(red.contains { $0.hasSuffix("Knee") })
        #expect((ended?["summary"] as? [String: Any])?["exercise"] as? String == "squat")
        let last = client.all("result").last?["coach"] as? [String: Any]
        let people = last?["people"] as? [[String: Any]] ?? []
        #expect(people.count == 1 && people[0]["id"] as? Int == last?["id"] as? Int)
        #expect(people.first?["count"] as? Int == last?["count"] as? Int)
        await client.leave()
    }
}

struct LiveTossTests {
    @Test func `a rendered game is followed from the board to the throw`() async throws {
        let scene = SynthScene.toss(seed: 2, throwCount: 1)
        let clip = try RenderedClip(scene)
        let client = LiveClient(LiveService())
        client.start("toss")
        await clip.show(to: client)
        let ended = await client.stop()
        let states = client.all("state").compactMap { $0["state"] as? String }
        #expect(states.starts(with: ["finding-board", "calibrating", "playing"]))
        let throwMessage = try #require(client.events("throw").first)
        #expect((throwMessage["speed_mps"] as? Double ?? 0) > 2)
        let toss = try #require(client.all("result").last?["toss"] as? [String: Any])
        #expect(((toss["board"] as? [String: Any])?["corners"] as? [[Double]])?.count == 4)
        #expect(toss["count"] as? Int == 1 && toss["most"] as? Int == 8)
        #expect(((toss["line"] as? [String: Any])?["ends"] as? [[Double]])?.count == 2)
        let player = try #require(toss["player"] as? [String: Any])
        #expect((player["box"] as? [Double])?.count == 4 && (player["distance_ft"] as? Double ?? 0) > 15)
        let summary = try #require(ended?["summary"] as? [String: Any])
        #expect((summary["throws"] as? [[String: Any]])?.count == 1)
        #expect((summary["game"] as? [String: Any])?["top_speed_mph"] as? Double ?? 0 > 5)
        await client.leave()
    }

    @Test func `without a board the player is asked for it, and told where to bring it`() async throws {
        let clip = try RenderedClip(
            .exercise(.squat, repetitions: 1, seed: 3, secondsPerRepetition: 3), every: 2)
        let client = LiveClient(LiveService())
        client.start("toss")
        await clip.show(to: client)
        _ = await client.stop()
        let states = client.all("state").compactMap { $0["state"] as? String }
        #expect(states == ["finding-board", "place-board"], "\(states)")
        let toss = try #require(client.all("result").last?["toss"] as? [String: Any])
        #expect(toss["guide"] as? [Double] == [0.7, 0.3, 0.28, 0.3])
        await client.leave()
    }

    @Test(arguments: [#""direction":"upwards""#, #""classifier":"absent""#, #""board":[0.9,0.1,0.5,0.1]"#])
    func `choices that make no sense are refused`(choice: String) async throws {
        let client = LiveClient(LiveService())
        client.socket.say(#"{"type":"start","mode":"toss","source":{"kind":"browser"},\#(choice)}"#)
        let problem = try #require(await client.next("error"))
        #expect(problem["code"] as? String == "bad-message")
        await client.leave()
    }
}

struct LiveDrawTests {
    private static let clip = SharedData.file("hands/asl/no.mkv")

    /// The recording as a browser would send it.
    private func pictures() async throws -> [(jpeg: Data, time: Double)] {
        let encoder = try JPEGEncoder()
        var pictures: [(Data, Double)] = []
        for try await element in try await VideoReader.read(contentsOf: Self.clip) {
            pictures.append((try encoder.jpeg(element.feature).bytes, element.feature.time))
        }
        return pictures
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: LiveDrawTests.clip.path)))
    func `a pinch draws a stroke in the colour chosen until it is undone`() async throws {
        let pictures = try await pictures()
        let client = LiveClient(LiveService())
        client.start("draw")
        client.socket.say(##"{"type":"colour","value":"#12ab34"}"##)
        for picture in pictures { _ = await client.showAndWait(picture.jpeg, at: 10 + picture.time) }
        let drawn = client.all("result").compactMap { $0["draw"] as? [String: Any] }
        let strokes = drawn.flatMap { $0["strokes"] as? [[String: Any]] ?? [] }
        let last = try #require(strokes.last)
        #expect(last["colour"] as? String == "#12ab34")
        #expect((last["points"] as? [[Double]])?.first?.count == 2)
        #expect(drawn.contains { ($0["pinching"] as? [String])?.isEmpty == false })
        // Rings for both tips of every hand, with its state.
        let hands = drawn.flatMap { $0["tips"] as? [[String: Any]] ?? [] }
        #expect(hands.allSatisfy { ($0["tips"] as? [[Double]])?.map(\.count) == [2, 2] })
        #expect(Set(hands.compactMap { $0["state"] as? String }).isSuperset(of: ["pinched", "apart"]))

        // Undone with the next picture, and told.
        let newest = try #require(strokes.compactMap { $0["id"] as? Int }.max())
        client.socket.say(#"{"type":"undo"}"#)
        let last2 = try #require(pictures.last)
        let answer = await client.showAndWait(last2.jpeg, at: 10 + last2.time + 5)
        #expect(((answer?["draw"] as? [String: Any])?["removed"] as? [Int])?.contains(newest) == true)

        let ended = await client.stop()
        let summary = try #require(ended?["summary"] as? [String: Any])
        #expect((summary["pinches"] as? [Any])?.isEmpty == false)
        let ids = Set(strokes.compactMap { $0["id"] as? Int })
        if ids.count > 1 { #expect((summary["drawing"] as? String).map(DrawingCheck.accepts) == true) }
        await client.leave()
    }
}
