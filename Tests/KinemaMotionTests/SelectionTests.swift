import KinemaMotion
import KinemaCounting
import Foundation
import KinemaCore
import Testing

struct SelectionTests {
    private static func pose(id: Int, x: ClosedRange<Double>, y: ClosedRange<Double>, confidence: Float = 1) -> Pose {
        let low = JointPoint(.leftAnkle, location: CGPoint(x: x.lowerBound, y: y.lowerBound), confidence: confidence)
        let high = JointPoint(.nose, location: CGPoint(x: x.upperBound, y: y.upperBound), confidence: confidence)
        return Pose(from: [.leftAnkle: low, .nose: high], keypoints3D: [:], id: id, confidence: 1)
    }

    private let crowd = [
        pose(id: 0, x: 0.3...0.7, y: 0.2...0.8),
        pose(id: 1, x: 0.1...0.2, y: 0.3...0.5),
        pose(id: 2, x: 0.8...0.9, y: 0.3...0.5),
        pose(id: 3, x: 0.4...0.5, y: 0.5...0.9),
        pose(id: 4, x: 0.4...0.5, y: 0.1...0.3),
        pose(id: 5, x: 0.0...1.0, y: 0.0...1.0, confidence: 0.1),
    ]

    @Test(arguments: [
        (PoseSelectionStrategy.maximumBoundingBoxArea, 0), (.leftmostJointLocation, 1), (.rightmostJointLocation, 2),
        (.highestJointLocation, 3), (.lowestJointLocation, 4), (.person(2), 2),
    ])
    func `each strategy chooses its person and overlooks doubtful joints`(strategy: PoseSelectionStrategy, id: Int) {
        #expect(PoseSelector(strategy: strategy).applied(to: crowd).id == id)
    }

    @Test func `the threshold decides which joints take part`() {
        #expect(PoseSelector(strategy: .lowestJointLocation, confidenceThreshold: 0.1).applied(to: crowd).id == 5)
        #expect(PoseSelector().applied(to: crowd).id == 0)
    }

    @Test func `without anyone to choose the pose has no joints`() {
        #expect(PoseSelector().applied(to: []) == Pose(from: [:]))
        #expect(PoseSelector(strategy: .person(9)).applied(to: crowd) == Pose(from: [:]))
        #expect(PoseSelector().applied(to: [crowd[5]]).id == 5)
    }

    @Test func `the most prominent track stays with its person while another comes nearer`() async throws {
        // Person 1 is half as large again from the second second on, person 0 stays in view.
        let poses = (0..<90).map { frame in
            [
                Self.pose(id: 0, x: 0.1...0.4, y: 0.1...0.9),
                Self.pose(id: 1, x: 0.5...(frame < 30 ? 0.7 : 0.95), y: 0.1...0.9),
            ]
        }
        func ids(_ strategy: PoseSelectionStrategy) async throws -> [Int?] {
            let selector = PoseSelector(strategy: strategy).appending(JointsSelector(ignoredJoints: [.nose]))
            let pipeline = Downsampler(factor: 1).appending(selector)
            let stream = AsyncStream<TemporalFeature<[Pose]>> { stream in
                for (frame, everyone) in poses.enumerated() {
                    let id = TemporalSegmentIdentifier(source: "room", range: frame..<frame + 1, timescale: 30)
                    stream.yield(TemporalFeature(id: id, feature: everyone))
                }
                stream.finish()
            }
            let chosen = try await pipeline(AnyTemporalSequence(stream, count: poses.count))
            return try await PreprocessedFeatureSequence(chosen).features.map(\.feature.id)
        }
        #expect(
            try await ids(.maximumBoundingBoxArea) == Array(repeating: 0, count: 30) + Array(repeating: 1, count: 60))
        #expect(try await ids(.mostProminentTrack) == Array(repeating: 0, count: 90))
        #expect(try await ids(.person(1)) == Array(repeating: 1, count: 90))
        #expect(PoseSelector(strategy: .mostProminentTrack).applied(to: poses[60]).id == 1)
    }

    @Test func `ignored joints stay with every field zero`() {
        let pose = JointsSelector(ignoredJoints: [.nose, .leftEye]).applied(to: crowd[0])
        #expect(pose.keypoints[.nose] == JointPoint(.nose, location: .zero, confidence: 0))
        #expect(pose.keypoints[.leftAnkle] == crowd[0].keypoints[.leftAnkle])
        #expect(pose.keypoints[.leftEye] == nil)
        let selected = JointsSelector(selectedJoints: [.nose]).applied(to: crowd[0])
        #expect(selected.keypoints[.leftAnkle]?.confidence == 0)
        #expect(selected.keypoints[.nose]?.confidence == 1)
    }

    /// Poses of somebody who squats, and from a time on of somebody twice as tall who walks past before the camera.
    private func squatting(passedAt begin: Double, for seconds: Double) -> [(time: Double, poses: [Pose])] {
        let workout = Workout(figure: StickFigure(scale: 0.4)).resting(1).repeating(
            .squat, Array(repeating: 2, count: 10)
        ).resting(1)
        let passer = Workout(figure: StickFigure(scale: 0.9), seed: 3).doing(40) { share in
            var stance = StickFigure.Stance()
            stance.legForward = (0.4 * sin(share * 200), -0.4 * sin(share * 200))
            return stance
        }
        return zip(workout.frames, passer.frames).map { own, other in
            var poses = [own.pose]
            poses[0].id = 1
            if own.time >= begin, own.time < begin + seconds {
                var near = other.pose
                near.id = 2
                poses.append(near)
            }
            return (own.time, poses)
        }
    }

    @Test(arguments: [1.5, 4, 9]) func `who repeats stays counted while somebody nearer walks past`(seconds: Double) {
        var counter = PeopleCounter(scope: .prominent, aspectRatio: 16.0 / 9)
        for (time, poses) in squatting(passedAt: 10, for: seconds) { counter.append(poses, at: time) }
        counter.finish()
        #expect(counter.people.map(\.id) == [1] && counter.count == 10)
    }

    /// Poses of squats of several people, one after the other: number, shot and repetitions of each.
    private func squatting(_ takes: [(id: Int, shot: Int, count: Int)]) -> [(time: Double, pose: Pose)] {
        var frames: [(time: Double, pose: Pose)] = []
        for take in takes {
            let workout = Workout(figure: StickFigure(scale: 0.4), seed: UInt64(take.id)).resting(1).repeating(
                .squat, Array(repeating: 2, count: take.count)
            ).resting(1)
            let start = frames.last.map { $0.time + 1.0 / 30 } ?? 0
            for frame in workout.frames {
                var pose = frame.pose
                (pose.id, pose.shot) = (take.id, take.shot)
                frames.append((start + frame.time, pose))
            }
        }
        return frames
    }

    private func counted(_ takes: [(id: Int, shot: Int, count: Int)]) -> [PeopleCounter.Person] {
        var counter = PeopleCounter(scope: .prominent, aspectRatio: 16.0 / 9)
        for (time, pose) in squatting(takes) { counter.append([pose], at: time) }
        counter.finish()
        return counter.people
    }

    @Test func `another person after a cut has a count of their own, which says after which cut`() throws {
        let two = counted([(1, 0, 4), (2, 1, 3)])
        #expect(two.map(\.id) == [1, 2] && two.map(\.repetitions.count) == [4, 3])
        let cut = try #require(two.last?.cut)
        #expect(two.first?.cut == nil && abs(cut - 10) < 0.1)
    }

    @Test func `who is shown again after a cut keeps the count`() {
        #expect(counted([(1, 0, 4), (1, 1, 3)]).map(\.repetitions.count) == [7])
        let again = counted([(1, 0, 4), (2, 1, 3), (1, 2, 2)])
        #expect(again.map(\.id) == [1, 2] && again.map(\.repetitions.count) == [6, 3])
    }

    @Test func `who gets another number without a cut keeps the count`() {
        let one = counted([(1, 0, 4), (2, 0, 3)])
        #expect(one.map(\.id) == [2] && one.map(\.repetitions.count) == [7] && one.first?.cut == nil)
    }
}
