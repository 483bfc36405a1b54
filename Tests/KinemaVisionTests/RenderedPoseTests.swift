@testable import KinemaPose
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

extension RenderedPeople {
    /// One person: found in every frame, at the true joints, in plausible metres.
    struct PoseTests {
        private static let settings = SynthScene.Settings(width: 480, height: 360, frameRate: FrameRate(timescale: 15))
        private static let cases: [(Movement, SynthCamera.View)] = [
            (.jumpingJack, .front), (.squat, .front), (.pushUp, .side), (.bicepsCurl, .threeQuarter),
            (.frontRaise, .side), (.lateralRaise, .high),
        ]

        @Test(arguments: Sweep.of(cases, or: [cases[0], cases[2], cases[5]]))
        func `the person is found in every frame at the true joints`(
            movement: Movement, view: SynthCamera.View
        ) throws {
            let scene = SynthScene.exercise(
                movement, repetitions: 2, seed: 11, view: view, secondsPerRepetition: 1.4, settings: Self.settings)
            let people = try RenderedPeople.poses(in: scene, frames: 60)
            #expect(people.allSatisfy { $0.map(\.id) == [1] }, "\(people.map(\.count))")
            let truth = scene.truth().people[0].frames
            var distances: [Double] = []
            for (pose, real) in zip(people.compactMap(\.first), truth) {
                let body = RenderedPeople.bodySize(real, scene.size)
                for key in RenderedPeople.limbs where real.keypoints[key.rawValue]?.visibility == .visible {
                    if let way = RenderedPeople.distance(key, pose, real, scene.size) { distances.append(way / body) }
                }
            }
            try #require(distances.count > 60 * 5)
            let (middle, most) = (
                RenderedPeople.quantile(0.5, of: distances), RenderedPeople.quantile(0.9, of: distances)
            )
            #expect(middle < 0.02 && most < 0.04, "median \(middle), 90 % \(most)")
        }

        @Test func `left is the persons own left`() throws {
            for (view, sign) in [(SynthCamera.View.front, 1.0), (.back, -1)] {
                let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: view, settings: Self.settings)
                for pose in try RenderedPeople.poses(in: scene, frames: 10).compactMap(\.first) {
                    for (left, right) in [
                        (JointKey.leftShoulder, JointKey.rightShoulder), (.leftHip, .rightHip),
                        (.leftWrist, .rightWrist),
                    ] {
                        let (l, r) = (try #require(pose.keypoints[left]), try #require(pose.keypoints[right]))
                        // Seen from the front the person's left is at the picture's right.
                        #expect((l.location.x - r.location.x) * sign > 0.02, "\(left) from \(view)")
                    }
                }
            }
        }

        @Test func `landmarks in space are metres of a body`() throws {
            let scene = SynthScene.exercise(
                .lateralRaise, repetitions: 1, seed: 8, view: .threeQuarter, settings: Self.settings)
            let truth = scene.truth().people[0].frames
            let poses = try RenderedPeople.poses(in: scene, frames: 30)
            func length(_ a: JointKey, _ b: JointKey, _ positions: (JointKey) -> SIMD3<Double>?) -> Double? {
                guard let p = positions(a), let q = positions(b) else { return nil }
                return ((p - q) * (p - q)).sum().squareRoot()
            }
            let bones: [(JointKey, JointKey)] = [
                (.leftShoulder, .leftElbow), (.rightShoulder, .rightElbow), (.leftElbow, .leftWrist),
                (.leftHip, .leftKnee), (.rightHip, .rightKnee), (.leftKnee, .leftAnkle), (.rightKnee, .rightAnkle),
            ]
            for (pose, real) in zip(poses.compactMap(\.first), truth) {
                let found = { (key: JointKey) in pose.keypoints3D[key].map { SIMD3<Double>($0.position) } }
                let shoulders = try #require(length(.leftShoulder, .rightShoulder, found))
                #expect((0.25...0.5).contains(shoulders), "\(shoulders) m")
                for (a, b) in bones {
                    let bone = try #require(length(a, b, found))
                    let true3D = try #require(
                        length(a, b) { real.keypoints3D[$0.rawValue].map { SIMD3($0[0], $0[1], $0[2]) } })
                    #expect((0.65...1.35).contains(bone / true3D), "\(a) to \(b): \(bone) m, in truth \(true3D) m")
                }
                // x to the picture's right, y up, and the hips in the middle.
                let head = try #require(pose.keypoints3D[.nose]), foot = try #require(pose.keypoints3D[.leftAnkle])
                #expect(head.position.y > 0.4 && foot.position.y < -0.5)
                let hips = try #require(pose.keypoints3D[.root]).position
                #expect((hips * hips).sum().squareRoot() < 0.03)
                let left = try #require(pose.keypoints3D[.leftShoulder]),
                    right = try #require(pose.keypoints3D[.rightShoulder])
                #expect(left.position.x > right.position.x)
            }
        }

        @Test func `neck and root are the middles`() throws {
            let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, settings: Self.settings)
            let pose = try #require(try RenderedPeople.poses(in: scene, frames: 1).first?.first)
            #expect(pose.keypoints.count == 35 && pose.keypoints3D.count == 35)
            for (middle, a, b) in [
                (JointKey.neck, JointKey.leftShoulder, JointKey.rightShoulder), (.root, .leftHip, .rightHip),
            ] {
                let points = try [middle, a, b].map { try #require(pose.keypoints[$0]) }
                #expect(abs(points[0].location.x - (points[1].location.x + points[2].location.x) / 2) < 1e-9)
                #expect(abs(points[0].location.y - (points[1].location.y + points[2].location.y) / 2) < 1e-9)
                #expect(points[0].confidence == min(points[1].confidence, points[2].confidence))
                let places = try [middle, a, b].map { try #require(pose.keypoints3D[$0]).position }
                let way = places[0] - (places[1] + places[2]) / 2
                #expect((way * way).sum() < 1e-10)
            }
        }

        @Test func `after a cut the person is found again at once`() throws {
            let (one, other) = (SynthCamera.View.front, SynthCamera.View.sideLeft)
            let scenes = [one, other].map {
                SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: $0, settings: Self.settings)
            }
            let extractor = HumanBodyPoseExtractor()
            for frame in 0..<40 {
                let scene = scenes[frame / 20]
                let poses = try extractor.poses(in: scene.videoFrame(frame))
                try #require(poses.count == 1, "frame \(frame)")
                #expect(poses[0].imageSize == CGSize(width: scene.size.width, height: scene.size.height))
                let truth = scene.truth().people[0].frames[frame]
                let way = try #require(RenderedPeople.distance(.root, poses[0], truth, scene.size))
                if frame != 20 { #expect(way < 0.08 * RenderedPeople.bodySize(truth, scene.size), "frame \(frame)") }
            }
        }

        @Test func `another source and a step back in time are new scenes`() throws {
            let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, settings: Self.settings)
            let extractor = HumanBodyPoseExtractor()
            let first = try RenderedPeople.poses(in: scene, frames: 8, source: "a", with: extractor)
            // The same frames again: a new scene of the same source, and one of another.
            #expect(try RenderedPeople.poses(in: scene, frames: 8, source: "a", with: extractor) == first)
            #expect(try RenderedPeople.poses(in: scene, frames: 8, source: "b", with: extractor) == first)
            // Without a reset the region of frame 7 would be followed.
            let fresh = try HumanBodyPoseExtractor().poses(in: scene.videoFrame(20))
            #expect(try extractor.poses(in: scene.videoFrame(20, source: "c")) == fresh)
            #expect(try extractor.poses(in: scene.videoFrame(20, source: "b")) != fresh)
        }

        @Test func `two streams at once give what they give one after the other`() async throws {
            let scenes = [Movement.squat, .jumpingJack].map {
                SynthScene.exercise($0, repetitions: 1, seed: 5, view: .front, settings: Self.settings)
            }
            let alone = try scenes.map { try RenderedPeople.poses(in: $0, frames: 25) }
            let extractor = HumanBodyPoseExtractor()
            let together = try await withThrowingTaskGroup(of: (Int, [[Pose]]).self) { group in
                for (index, scene) in scenes.enumerated() {
                    group.addTask {
                        var poses: [[Pose]] = []
                        for frame in 0..<25 {
                            poses.append(try await extractor.applied(to: scene.videoFrame(frame, source: "\(index)")))
                        }
                        return (index, poses)
                    }
                }
                return try await group.reduce(into: [Int: [[Pose]]]()) { $0[$1.0] = $1.1 }
            }
            #expect(together[0] == alone[0])
            #expect(together[1] == alone[1])
            #expect(alone[0] != alone[1])
        }
    }
}
