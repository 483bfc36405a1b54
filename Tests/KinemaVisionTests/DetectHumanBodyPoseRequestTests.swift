@testable import KinemaPose
@testable import KinemaVision
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

extension RenderedPeople {
    /// Vision's way of asking: one picture, everyone in it.
    struct RequestTests {
        private static let settings = SynthScene.Settings(width: 640, height: 360, frameRate: FrameRate(timescale: 15))
        private let alone = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, settings: settings)
        private let pair = SynthScene.twoPeople(seed: 3, settings: settings)

        @Test func `a bitmap is answered with the joints of the person in it`() async throws {
            let people = try await DetectHumanBodyPoseRequest().perform(on: alone.bitmap(at: 4))
            try #require(people.count == 1)
            let person = people[0]
            #expect(person.timeRange == nil && person.confidence > 0.5)
            #expect(Set(person.availableJointNames) == Set(HumanBodyPoseObservation.JointName.allCases))
            let truth = alone.truth().people[0].frames[4]
            let body = RenderedPeople.bodySize(truth, alone.size)
            for name in [HumanBodyPoseObservation.JointName.root, .neck, .leftKnee, .rightWrist] {
                let joint = try #require(person.joint(for: name))
                let real = try #require(truth.keypoints[name.rawValue])
                let way = hypot((joint.location.x - real.x) * 640, (joint.location.y - real.y) * 360)
                #expect(way < 0.06 * body, "\(name): \(way) pixels")
            }
        }

        @Test func `a frame of a video is answered with its time and looks anew`() async throws {
            let request = DetectHumanBodyPoseRequest()
            let frames = [20, 4].map { alone.videoFrame($0) }
            var answers: [[HumanBodyPoseObservation]] = []
            for frame in frames { answers.append(try await request.perform(on: frame)) }
            #expect(answers.map(\.count) == [1, 1])
            #expect(answers.map { $0.first?.timeRange } == frames.map(\.id.timeRange))
            // What was asked before changes nothing.
            let again = try await request.perform(on: frames[0])
            #expect(again.map(\.pose) == answers[0].map(\.pose))
        }

        @Test func `a file is answered as the bitmap is`() async throws {
            let folder = try TemporaryFolder()
            let bitmap = pair.bitmap(at: 3)
            try ImageWriter.write(bitmap, to: folder.file("pair.png"))
            let request = DetectHumanBodyPoseRequest()
            let (file, memory) = (
                try await request.perform(on: folder.file("pair.png")), try await request.perform(on: bitmap)
            )
            #expect(file.count == 2 && memory.count == 2)
            for (a, b) in zip(file, memory) {
                let (one, other) = (try #require(a.joint(for: .root)), try #require(b.joint(for: .root)))
                #expect(abs(one.location.x - other.location.x) < 0.01)
            }
        }

        @Test func `the region of interest is cropped, answers in its coordinates, and the surest come first`()
            async throws
        {
            var request = DetectHumanBodyPoseRequest()
            let everyone = try await request.perform(on: pair.bitmap(at: 3))
            try #require(everyone.count == 2)
            #expect(everyone[0].confidence >= everyone[1].confidence)
            let places = try everyone.map { try #require($0.joint(for: .root)).location.x }
            let middle = (places[0] + places[1]) / 2
            request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: middle, height: 1)
            let left = try await request.perform(on: pair.bitmap(at: 3))
            #expect(left.count == 1)
            let root = try #require(left.first?.joint(for: .root)).location
            let expected = try #require(places.min())
            // Of the region, not of the picture; the conversion helper leads back.
            #expect(abs(root.x - expected / middle) < 0.02)
            #expect(abs(root.inFullImage(from: request.regionOfInterest).x - expected) < 0.01)
        }

        @Test func `an empty picture has nobody`() async throws {
            let grey = Bitmap(width: 320, height: 240, red: 90, green: 90, blue: 90)
            #expect(try await DetectHumanBodyPoseRequest().perform(on: grey).isEmpty)
        }

        @Test func `parts are searched in pictures unless the whole is asked for`() {
            typealias Search = BodyPoseOptions.Search
            #expect(Search.allCases.filter { $0.includesParts(isSinglePicture: true) } == [.parts, .automatic])
            #expect(Search.allCases.filter { $0.includesParts(isSinglePicture: false) } == [.parts])
        }

        @Test(.enabled(if: SharedData.isPresent, "the recordings are absent"))
        func `three dancers are found in one frame`()
            async throws
        {
            let url = SharedData.file("crowds/aerobics3.avi")
            var frames = try await VideoReader.read(contentsOf: url).makeAsyncIterator()
            let frame = try #require(try await frames.next()).feature
            var request = DetectHumanBodyPoseRequest()
            let everyone = try await request.perform(on: frame)
            #expect(everyone.count == 3)
            request.options.maximumPeople = 2
            let two = try await request.perform(on: frame)
            #expect(two.map(\.pose) == everyone.prefix(2).map(\.pose))
        }
    }
}
