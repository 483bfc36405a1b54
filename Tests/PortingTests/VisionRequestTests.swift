import Foundation
import Kinema
import KinemaDraw
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import PortingSamples

/// Requests, hands, PoseNet and drawing as programs outside the package use them.
struct VisionRequestTests {
    private let scene = SynthScene.exercise(.squat, repetitions: 1)

    private func png(_ bitmap: Bitmap) throws -> Data { try bitmap.png() }

    private func nose(_ people: [HumanBodyPoseObservation]) throws -> CGPoint {
        try #require(people.first?.joint(for: .nose)).location.cgPoint
    }

    @Test func `one handler answers two requests about the bytes of a picture`() async throws {
        let frame = scene.videoFrame(0)
        let (bodies, hands) = try await bodiesAndHands(in: png(frame.bitmap()))
        let alone = try await DetectHumanBodyPoseRequest().perform(on: frame)
        let (there, here) = try (nose(bodies), nose(alone))
        #expect(hypot(there.x - here.x, there.y - here.y) < 0.005)
        #expect(hands.count <= 2)
    }

    @Test func `any number of requests about a picture give their results one by one`() async throws {
        var whole = DetectHumanRectanglesRequest()
        whole.upperBodyOnly = false
        let requests: [any VisionRequest] = [
            DetectContoursRequest(), DetectTrajectoriesRequest(trajectoryLength: 4), whole,
            DetectHumanBodyPoseRequest(),
        ]
        let found = await findings(in: try png(scene.videoFrame(0).bitmap()), requests)
        #expect(found["bodies"] == 1 && found["rectangles of people"] == 1 && found["contours", default: 0] > 0)
        // The trajectory request fails, and the requests after it do not.
        let failed = found.keys.filter { $0.hasPrefix("detectTrajectoriesRequest") }
        #expect(found.count == 4 && failed.count == 1 && failed.first?.contains("trajectoryLength is 4") == true)
        let unreadable = await findings(in: Data("no picture".utf8), requests)
        #expect(unreadable.count == 4 && unreadable.values.allSatisfy { $0 == 0 })
        #expect(unreadable.keys.allSatisfy { $0.contains("cannot") || $0.contains("not a") }, "\(unreadable)")
    }

    @Test func `every request and its observations say which request it was`() async throws {
        let frame = scene.videoFrame(0)
        let all: [(any VisionRequest, RequestDescriptor)] = [
            (DetectHumanRectanglesRequest(), .detectHumanRectanglesRequest(.revision2)),
            (DetectHumanBodyPoseRequest(), .detectHumanBodyPoseRequest(.revision2)),
            (DetectHumanHandPoseRequest(), .detectHumanHandPoseRequest(.revision1)),
            (DetectHumanBodyPose3DRequest(), .detectHumanBodyPose3DRequest(.revision1)),
            (
                TrackTranslationalImageRegistrationRequest(),
                .trackTranslationalImageRegistrationRequest(.revision1)
            ),
            (DetectTrajectoriesRequest(trajectoryLength: 5), .detectTrajectoriesRequest(.revision1)),
            (DetectContoursRequest(), .detectContoursRequest(.revision1)),
            (GeneratePersonSegmentationRequest(), .generatePersonSegmentationRequest(.revision1)),
            (DetectFaceRectanglesRequest(), .detectFaceRectanglesRequest(.revision3)),
        ]
        #expect(all.allSatisfy { $0.0.descriptor == $0.1 })
        var made: Set<RequestDescriptor> = []
        for time in 0..<2 {
            for await result in ImageRequestHandler(scene.videoFrame(time)).performAll(all.map(\.0)) {
                let observations: [any VisionObservation] =
                    switch result {
                    case .detectFaceRectangles(_, let faces): faces
                    case .detectHumanRectangles(_, let people): people
                    case .detectHumanBodyPose(_, let bodies): bodies
                    case .detectHumanHandPose(_, let hands): hands
                    case .detectHumanBodyPose3D(_, let bodies): bodies
                    case .trackTranslationalImageRegistration(_, let observation): [observation].compactMap(\.self)
                    case .detectTrajectories(_, let flights): flights
                    case .detectContours(_, let contours): [contours]
                    case .generatePersonSegmentation(_, let mask): [mask]
                    case .error(_, let error): throw error
                    }
                made.formUnion(observations.compactMap(\.originatingRequestDescriptor))
                for observation in observations {
                    let survives = try observation.survivesCoding()
                    #expect(survives, "\(observation)")
                }
            }
        }
        #expect(made.isSuperset(of: [all[0].1, all[1].1, all[3].1, all[4].1, all[6].1, all[7].1]), "\(made)")
        let body = try #require(await DetectHumanBodyPoseRequest().perform(on: frame).first)
        #expect(HumanBodyPoseObservation(body.pose).originatingRequestDescriptor == nil)
        #expect(DetectContoursRequest.supportedRevisions == [DetectContoursRequest.Revision.revision1])
    }

    @Test func `an orientation turns a picture upright, whatever it comes as`() async throws {
        let frame = scene.videoFrame(0)
        let upright = try frame.bitmap()
        // Stored on its side: what stands upright after a quarter turn clockwise.
        var stored = Bitmap(width: upright.height, height: upright.width)
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                for channel in 0..<4 {
                    stored.pixels[((upright.width - 1 - x) * stored.width + y) * 4 + channel] =
                        upright.pixels[(y * upright.width + x) * 4 + channel]
                }
            }
        }
        let request = DetectHumanBodyPoseRequest()
        let expected = try nose(await request.perform(on: upright))
        let folder = try TemporaryFolder()
        let file = folder.file("turned.png")
        try stored.writePNG(to: file)
        let id = TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 1)
        let answers = [
            try await request.perform(on: stored, orientation: .right),
            try await request.perform(on: file, orientation: .right),
            try await request.perform(on: Data(contentsOf: file), orientation: .right),
            try await request.perform(on: VideoFrame(bitmap: stored, id: id), orientation: .right),
            try await ImageRequestHandler(file, orientation: .right).perform(request),
        ]
        for answer in answers {
            let found = try nose(answer)
            #expect(hypot(found.x - expected.x, found.y - expected.y) < 0.005)
        }
    }

    @Test func `bytes that are no picture are refused in one line`() async throws {
        await #expect {
            _ = try await ImageRequestHandler(Data("no picture".utf8)).perform(DetectHumanBodyPoseRequest())
        } throws: { error in
            guard let error = error as? KinemaError else { return false }
            return error.code == .unreadableInput && error.file == "image in memory"
                && !error.description.contains("\n")
        }
    }

    @Test func `a hand becomes a pose and numbers of 21 joints`() throws {
        let joints = HumanHandPoseObservation.JointName.allCases.enumerated().filter { $0.element != .littleTip }
        let pose = Pose(
            from: Dictionary(
                uniqueKeysWithValues: joints.map { index, name in
                    let key = JointKey(rawValue: name.rawValue)
                    return (key, JointPoint(key, location: CGPoint(x: Double(index) / 100, y: 0.5), confidence: 0.9))
                }))
        var stored = StoredHandPoses()
        let observation = HumanHandPoseObservation(pose, chirality: .right)
        try stored.store(observation)
        try stored.store(observation)
        #expect(stored.poses.first == pose)
        let array = try observation.keypoints
        #expect(array.shape == [1, 3, 21])
        // The wrist comes first, then the thumb from the palm to its tip.
        #expect(array[[0, 0, 4]] == 0.04 && array[[0, 1, 4]] == 0.5)
        // A joint that was not found is zero.
        #expect(array[[0, 0, 20]] == 0 && array[[0, 2, 20]] == 0)
        #expect(!pose[.littleTip].isValid && pose[.thumbTip].isValid)
        #expect(stored.window().shape == [2, 3, 21])
    }

    @Test(.enabled(if: SharedData.isPresent, "the shared models are not here"))
    func `PoseNet's steps lead from a model's file to poses and a picture of them`() throws {
        let net = try PoseNet(
            contentsOf: SharedData.folder.appending(
                path: "models/posenet/posenet_mobilenet_v1_075_481_641_quant.tflite"))
        let frame = try ImageReader.read(
            contentsOf: SharedData.folder.appending(path: "models/posenet/test_couple.jpg"))
        let output = try net.predict(frame)
        #expect(output.gridWidth == 41 && output.gridHeight == 31)
        let poses = try net.poses(in: frame, configuration: PoseBuilderConfiguration())
        #expect(poses.count == 2)
        let view = PoseImage()
        for pose in poses {
            #expect(view.segments(of: pose).count >= 8)
            #expect(abs(view.confidence(of: pose) - Double(pose.confidence)) < 0.05)
            let box = try #require(pose.boundingBox(confidenceThreshold: 0.1))
            let circles = view.circles(of: pose)
            #expect(circles.count >= 12 && circles.count <= 17)
            let (width, height) = (Double(frame.width), Double(frame.height))
            #expect(circles.allSatisfy { $0.x >= box.minX * width - 1 && $0.x <= box.maxX * width + 1 })
            #expect(circles.allSatisfy { $0.y >= (1 - box.maxY) * height - 1 && $0.y <= (1 - box.minY) * height + 1 })
        }
        var single = PoseBuilderConfiguration()
        single.algorithm = .single
        #expect(try net.poses(in: frame, configuration: single).count == 1)
        // The line between the shoulders is drawn where they are.
        let (before, after) = (try frame.bitmap(), try view.image(frame, poses))
        let (left, right) = (poses[0][.leftShoulder].location, poses[0][.rightShoulder].location)
        let x = Int((left.x + right.x) / 2 * Double(before.width))
        let y = Int((1 - (left.y + right.y) / 2) * Double(before.height))
        #expect(before[x, y] != after[x, y])
    }

    @Test(.enabled(if: SharedData.isPresent, "the shared models are not here"))
    func `a PoseNet input of the wrong size is refused in one line`() throws {
        let model = try PoseNetModel(
            contentsOf: SharedData.folder.appending(
                path: "models/posenet/posenet_mobilenet_v1_075_481_641_quant.tflite"))
        let input = PoseNetInput(image: Bitmap(width: 10, height: 10), size: CGSize(width: 10, height: 10))
        #expect(throws: KinemaError.self) { _ = try model.prediction(from: input) }
    }
}

/// The guides' code, run as it is printed.
struct GuideTests {
    @Test func `what the guides show works on a rendered clip`() async throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("squats.mp4")
        let settings = SynthScene.Settings(frameRate: FrameRate(timescale: 15))
        try RenderedVideo.write(
            .exercise(.squat, repetitions: 3, secondsPerRepetition: 1.6, settings: settings), to: clip)
        let noses = try await highestNose(in: clip)
        #expect(noses.count == 1 && noses.values.allSatisfy { $0 > 0.6 && $0 < 1 })
        let result = try await countRepetitions(in: clip)
        #expect(result.count == 3 && result.people.count == 1)
        let measured = try await measureMovement(in: clip, height: 1.7)
        #expect(measured.person != nil && measured.scale != nil && !measured.times.isEmpty)
        let overlay = folder.file("overlay.mp4")
        try await writeOverlay(of: clip, to: overlay)
        let (plain, drawn) = try (
            ImageReader.read(contentsOf: clip).bitmap(), ImageReader.read(contentsOf: overlay).bitmap()
        )
        #expect(plain.width == drawn.width)
        let changed = zip(plain.pixels, drawn.pixels).count { abs(Int($0) - Int($1)) > 60 }
        #expect(changed > 2000)
        let markers = folder.file("squats.trc")
        try await exportTRC(of: clip, to: markers)
        #expect(try String(contentsOf: markers, encoding: .utf8).hasPrefix("PathFileType"))
    }
}

extension VisionObservation {
    /// Whether the observation comes back from JSON as it was.
    func survivesCoding() throws -> Bool {
        let stored = try JSONEncoder().encode(self)
        let copy = try JSONDecoder().decode(Self.self, from: stored)
        // Observations are equal by their identifiers; the bytes, in whatever order the joints come, hold the rest.
        return try copy == self && copy.timeRange == timeRange
            && copy.originatingRequestDescriptor == originatingRequestDescriptor
            && JSONEncoder().encode(copy).sorted() == stored.sorted()
    }
}
