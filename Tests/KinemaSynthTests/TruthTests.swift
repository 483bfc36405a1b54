import Foundation
import KinemaCore
import Testing

@testable import KinemaSynth

@Suite struct TruthTests {
    /// Small and slow, so that a debug build renders it quickly.
    static let small = SynthScene.Settings(width: 160, height: 120, frameRate: FrameRate(timescale: 10))

    @Test func `repetitions are reported from start to end and failed ones do not count`() {
        let scene = SynthScene.exercise(
            .squat, repetitions: 4, depths: [1, 0.3, 0.7, 1], secondsPerRepetition: 2, jitter: 0, pauseAfter: 2,
            pauseSeconds: 3, settings: TruthTests.small)
        let person = scene.truth().people[0]
        #expect(person.repetitions.map(\.isCounted) == [true, false, true, true])
        #expect(person.count == 3)
        #expect(person.exercises == ["squat"])
        for repetition in person.repetitions { #expect(abs(repetition.end - repetition.start - 2) < 1e-9) }
        #expect(abs(person.repetitions[2].start - person.repetitions[1].end - 3) < 1e-9)
    }

    @Test(arguments: Movement.allCases) func `the body is in the start posture at both ends of a repetition`(
        movement: Movement
    ) {
        let scene = SynthScene.exercise(movement, repetitions: 3, seed: 5, settings: TruthTests.small)
        let performance = scene.people[0].performance
        for repetition in performance.repetitions {
            let start = performance.armature(at: repetition.start)
            let end = performance.armature(at: repetition.end)
            let far = performance.armature(at: (repetition.start + repetition.end) / 2)
            var travel = 0.0
            for key in [JointKey.leftWrist, .rightWrist, .leftHip, .neck, .leftAnkle] {
                // Only sway tells them apart.
                #expect((start[key] - end[key]).length < 0.05, "\(key.rawValue)")
                travel = max(travel, (far[key] - start[key]).length)
            }
            #expect(travel > 0.2)
        }
    }

    @Test func `joints are in normalised coordinates from the lower left`() throws {
        let scene = SynthScene.exercise(.bicepsCurl, repetitions: 1, view: .front, settings: TruthTests.small)
        let frame = scene.truth().people[0].frames[0]
        let nose = try #require(frame.keypoints["nose"])
        let ankle = try #require(frame.keypoints["leftAnkle"])
        let left = try #require(frame.keypoints["leftShoulder"])
        let right = try #require(frame.keypoints["rightShoulder"])
        #expect(nose.y > 0.7 && ankle.y < 0.25)
        #expect(left.x > right.x)
        // In space y is up and z comes towards the camera, from the middle of the hips.
        let noseInSpace = try #require(frame.keypoints3D["nose"])
        #expect(noseInSpace[1] > 0.5 && noseInSpace[2] > 0.05)
        #expect(frame.keypoints3D["root"] == [0, 0, 0])
    }

    @Test func `a known point projects where geometry says it does`() throws {
        let camera = SynthCamera(position: Vector(0, 1, 5), target: Vector(0, 1, 0), fieldOfView: degrees(90))
        let projection = Projection(camera, width: 200, height: 100)
        // At 5 m a 90 degree view is 10 m tall and, at this shape, 20 m wide.
        let spot = try #require(projection.normalized(Vector(2, 3, 0)))
        #expect(abs(spot.x - 0.6) < 1e-9 && abs(spot.y - 0.7) < 1e-9)
        #expect(projection.normalized(Vector(0, 1, 6)) == nil)
    }

    @Test(arguments: Movement.allCases) func `the person is wholly in view and large enough`(movement: Movement) {
        for view in movement.views {
            let truth = SynthScene.exercise(movement, repetitions: 1, view: view, settings: TruthTests.small).truth()
            let joints = truth.people[0].frames.flatMap { $0.keypoints.values }
            #expect(joints.allSatisfy { $0.visibility != .outOfPicture }, "\(view)")
            let rows = joints.map(\.y)
            let columns = joints.map(\.x)
            let tall = (rows.max() ?? 0) - (rows.min() ?? 0)
            let wide = (columns.max() ?? 0) - (columns.min() ?? 0)
            #expect(tall > 0.35 || wide > 0.6, "\(view)")
        }
    }

    @Test func `a cut is reported and changes the view`() throws {
        // The first seeds hold scenes with and without a cut.
        let scenes = (1...12).map { SynthScene.random(seed: UInt64($0)) }
        let cut = try #require(scenes.first { $0.shots.count > 1 })
        let told = cut.shots[1].start
        let frame = Int((told * cut.frameRate.perSecond).rounded(.up))
        #expect(cut.shotIndex(at: frame - 1) == 0)
        #expect(cut.shotIndex(at: frame) == 1)
        #expect(cut.truth().cuts.last == told)
        #expect(scenes.contains { $0.shots.count == 1 })
    }

    @Test func `one of the crossing people is hidden for about a second and the other never`() throws {
        let truth = SynthScene.crossing(seed: 2, settings: .init(width: 320, height: 180)).truth()
        #expect(truth.people[0].occlusions.isEmpty)
        let longest = try #require(truth.people[1].occlusions.map { $0.end - $0.start }.max())
        #expect((0.9...2).contains(longest))
        // They pass: who is left becomes right.
        let first = try #require(truth.people[0].frames.first?.keypoints["root"]).x
        let second = try #require(truth.people[1].frames.first?.keypoints["root"]).x
        let firstAfter = try #require(truth.people[0].frames.last?.keypoints["root"]).x
        let secondAfter = try #require(truth.people[1].frames.last?.keypoints["root"]).x
        #expect(first < second && firstAfter > secondAfter)
    }

    @Test func `nothing is rendered in the grey zone between failed and counted`() {
        for seed in 1...40 as ClosedRange<UInt64> {
            for person in SynthScene.random(seed: seed).people {
                for repetition in person.performance.repetitions {
                    #expect(repetition.depth < 0.4 || repetition.isCounted)
                }
            }
        }
    }

    @Test func `the truth survives its JSON`() throws {
        let truth = SynthScene.exercise(.pushUp, repetitions: 1, settings: TruthTests.small).truth()
        let data = try JSONEncoder().encode(truth)
        #expect(try JSONDecoder().decode(Truth.self, from: data) == truth)
    }

    @Test func `the demonstration holds eight repetitions in about twelve seconds`() {
        let scene = SynthScene.demo
        #expect(scene.people[0].performance.repetitions.count { $0.isCounted } == 8)
        #expect((10...15).contains(scene.duration))
        #expect(scene.size == (640, 480))
    }
}
