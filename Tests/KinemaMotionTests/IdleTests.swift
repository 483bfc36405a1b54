import KinemaCounting
import Foundation
import KinemaCore
import Testing

/// What is no exercise is not counted.
struct IdleTests {
    /// What Documentation/lab/counting.md lists as worse since whole solutions are judged.
    private static let sinceSolutions: Comment = "worse since whole solutions are judged; Documentation/lab/counting.md"

    private func workout(seed: UInt64 = 7, yaw: Double = 0.4) -> Workout {
        var workout = Workout()
        workout.figure.jitter = 0.005
        workout.figure.yaw = yaw
        workout.seed = seed
        return workout
    }

    @Test func `standing and holding still count nothing`() {
        #expect(workout().resting(20).counted().isEmpty)
        let swaying = workout().doing(30) { share in
            var stance = StickFigure.Stance()
            stance.offset.0 = 0.01 * sin(share * 60)
            stance.lean = 0.03 * sin(share * 47)
            return stance
        }
        #expect(swaying.counted().isEmpty)
        var plank = StickFigure.Stance()
        plank.lean = 1.4
        plank.armForward = (1.4, 1.4)
        #expect(workout().resting(20, as: plank).counted().isEmpty)
    }

    @Test(arguments: [0.0, 0.5, 1.2, 1.57])
    func `walking through counts nothing`(yaw: Double) {
        let walking = workout(yaw: yaw).doing(6) { share in
            var stance = StickFigure.Stance()
            let swing = sin(share * 6 * 2 * .pi * 0.9) * 0.5
            stance.legForward = (swing, -swing)
            stance.armForward = (-swing, swing)
            stance.knee = (max(0, 0.5 - swing), max(0, 0.5 + swing))
            stance.offset.0 = share * 3 - 1.5
            return stance
        }
        #expect(walking.counted().isEmpty)
    }

    /// Who is moving when the watching begins may be ending something else.
    @Test func `what is under way when the watching begins counts if it goes on at once`() {
        func curls(pause: Double) -> Int {
            workout().repeating(.curl, [0.8], depth: 0.7).resting(pause).repeating(.curl, [1.3, 1.3, 1.3, 1.3]).resting(
                1
            )
            .counted().count
        }
        #expect((4...5).contains(curls(pause: 1.1)))
        #expect(curls(pause: 0) == 5)
    }

    @Test func `a single movement counts by the end of the recording`() {
        let raise = workout().resting(0.5).repeating(.frontRaise, [3], depth: 0.8).resting(2)
        #expect(raise.counted().count == 1)
    }

    @Test func `walking towards the camera counts nothing`() {
        var counter = RepetitionCounter(aspectRatio: 16.0 / 9)
        var noise = Noise(3)
        var figure = StickFigure()
        for frame in 0..<180 {
            let time = Double(frame) / 30
            let swing = sin(time * 2 * .pi * 0.9) * 0.5
            var stance = StickFigure.Stance()
            stance.legForward = (swing, -swing)
            stance.armForward = (-swing, swing)
            figure.scale = 0.25 * 6 / (7 - time)
            _ = counter.append(figure.pose(stance, noise: &noise), at: time)
        }
        _ = counter.finish()
        #expect(counter.count == 0)
    }

    @Test func `turning round counts nothing`() {
        let turning = workout().resting(2).doing(3) { share in
            var stance = StickFigure.Stance()
            stance.turn = 2 * .pi * share
            return stance
        }
        .resting(3).doing(1.5) { share in
            var stance = StickFigure.Stance()
            stance.turn = -.pi / 2 * sin(.pi * share)
            return stance
        }
        .resting(2)
        #expect(turning.counted().isEmpty)
    }

    @Test func `of twenty people talking wildly with their hands few are taken for exercising`() {
        withKnownIssue(Self.sinceSolutions, isIntermittent: true) {
            let counted = (1...20).count { !talking(seed: $0).counted().isEmpty }
            #expect(counted <= 3)
        }
    }

    /// Wild talk: each arm goes somewhere new every 0.3 to 1 s, up to the shoulders, without a rest for 16 s.
    private func talking(seed: Int) -> Workout {
        var random = Noise(UInt64(seed))
        var workout = workout(seed: UInt64(seed))
        var last = StickFigure.Stance()
        for _ in 0..<25 {
            var next = StickFigure.Stance()
            next.armForward = (random.uniform() * 0.8, random.uniform() * 0.8)
            next.elbow = (random.uniform() * 1.8, random.uniform() * 1.8)
            next.armOut = (random.uniform() * 0.3, random.uniform() * 0.3)
            let (from, to) = (last, next)
            workout = workout.doing(0.3 + random.uniform() * 0.7) { share in
                let s = (1 - cos(.pi * share)) / 2
                func mix(_ a: (Double, Double), _ b: (Double, Double)) -> (Double, Double) {
                    (a.0 + (b.0 - a.0) * s, a.1 + (b.1 - a.1) * s)
                }
                var stance = StickFigure.Stance()
                stance.armForward = mix(from.armForward, to.armForward)
                stance.elbow = mix(from.elbow, to.elbow)
                stance.armOut = mix(from.armOut, to.armOut)
                return stance
            }
            last = next
        }
        return workout
    }

    @Test func `sitting down and getting up later counts nothing`() {
        var sitting = Workout.Exercise.squat.stance(0.9)
        sitting.armForward = (0.6, 0.6)
        let seated = sitting
        let workout = workout().resting(3).doing(1.5) { share in
            var stance = Workout.Exercise.squat.stance(0.9 * (1 - cos(.pi * share)) / 2)
            stance.armForward = (0.6 * share, 0.6 * share)
            return stance
        }
        .resting(12, as: seated)
        #expect(workout.counted().isEmpty)
    }

    @Test func `picking something up counts nothing`() {
        let picking = workout().resting(3).doing(1.2) { share in
            var stance = StickFigure.Stance()
            stance.lean = 1.5 * (1 - cos(.pi * share)) / 2
            stance.armForward = (1.5 * share, 0.3 * share)
            return stance
        }
        .doing(1.3) { share in
            var stance = StickFigure.Stance()
            stance.lean = 1.5 * (1 + cos(.pi * share)) / 2
            stance.armForward = (1.5 - 1.3 * share, 0.3 - 0.3 * share)
            stance.elbow = (1.5 * share, 0)
            return stance
        }
        .doing(4) { _ in
            var stance = StickFigure.Stance()
            stance.armForward = (0.2, 0)
            stance.elbow = (1.5, 0)
            return stance
        }
        #expect(picking.counted().isEmpty)
    }

    @Test func `nobody in view counts nothing and does not disturb`() {
        var counter = RepetitionCounter()
        for frame in 0..<90 { #expect(counter.append(nil, at: Double(frame) / 30).isEmpty) }
        #expect(counter.append(Pose(from: [:]), at: 3).isEmpty)
        #expect(counter.finish().isEmpty)
    }
}
