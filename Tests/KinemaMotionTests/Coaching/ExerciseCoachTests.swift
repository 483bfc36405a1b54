import KinemaCounting
import Foundation
import KinemaCore
import Testing

struct ExerciseCoachTests {
    private func workout(_ yaw: Double = 0.6) -> Workout {
        var workout = Workout()
        workout.figure.yaw = yaw
        workout.figure.jitter = 0.002
        return workout
    }

    private func coach(_ workout: Workout, _ exercise: Exercise?) -> ExerciseCoach {
        var coach =
            exercise.map { ExerciseCoach($0, aspectRatio: 16.0 / 9) } ?? ExerciseCoach(aspectRatio: 16.0 / 9)
        for (time, pose) in workout.frames { coach.append(pose, at: time) }
        coach.finish()
        return coach
    }

    @Test(arguments: [5.0, 10, 15, 30, 60])
    func `squats are counted at any frame rate`(rate: Double) {
        var workout = workout(1.2).resting(1).repeating(.squat, [2, 2.2, 1.8, 2, 2]).resting(1)
        workout.framesPerSecond = rate
        #expect(coach(workout, .squat).count == 5)
    }

    @Test(arguments: [(Workout.Exercise.curl, Exercise.bicepCurl), (.frontRaise, .frontRaise), (.hinge, .deadlift)])
    func `movements are counted by their own rules`(movement: Workout.Exercise, exercise: Exercise) {
        let workout = workout(1.4).resting(1).repeating(movement, [2, 2.2, 1.8, 2]).resting(1)
        #expect(coach(workout, exercise).count == 4)
    }

    @Test func `another movement is not counted`() {
        let workout = workout(1.2).resting(1).repeating(.curl, [2, 2, 2, 2]).resting(1)
        #expect(coach(workout, .squat).count == 0)
        #expect(coach(workout, .pushUp).count == 0)
    }

    @Test func `movements that a counter finds and the coach does not are reported with the reason`() {
        let squats = workout(1.2).resting(1).repeating(.squat, [2, 2, 2]).resting(1)
        let both = squats.repeating(.curl, [2, 2, 2]).resting(1)
        let counted = both.truth.map { Repetition(start: $0.lowerBound, end: $0.upperBound, confidence: 1) }
        let refused = coach(both, .squat).refused(of: counted)
        #expect(refused.map(\.start) == counted.suffix(3).map(\.start))
        #expect(refused.allSatisfy { $0.reason == "knee moves less than in a squat" })
        let hinges = coach(workout(1.2).resting(1).repeating(.hinge, [2, 2]).resting(1), .bicepCurl)
        #expect(hinges.refused(of: []).isEmpty)
        let others = coach(squats, .benchPress).refused(of: Array(counted.prefix(3)))
        #expect(others.count == 3 && others.allSatisfy { !$0.reason.isEmpty })
        #expect(coach(squats, nil).refused(of: Array(counted.prefix(3))).isEmpty)
        // A position has no repetitions.
        #expect(coach(squats, .plank).refused(of: counted).isEmpty)
        let nobody = ExerciseCoach(aspectRatio: 16.0 / 9).refused(of: counted)
        #expect(nobody.map(\.reason) == counted.map { _ in "no exercise was recognised" })
    }

    @Test func `a repetition is reported with its times, depth and tempo`() throws {
        let workout = workout(1.4).resting(1).repeating(.squat, [2, 2, 2]).resting(1)
        let found = coach(workout, .squat).repetitions
        try #require(found.count == 3)
        for (repetition, truth) in zip(found, workout.truth) {
            // The ends of a raised cosine: a tenth of the way takes a fifth of the half period.
            #expect(abs(repetition.start - truth.lowerBound) < 0.35 && abs(repetition.end - truth.upperBound) < 0.35)
            #expect((0.8..<1.5).contains(repetition.depth ?? 0))
            let tempo = repetition.tempo
            #expect(abs(tempo.eccentric - tempo.concentric) < 0.25 && tempo.pause < 0.6)
        }
    }

    @Test func `a shallow squat counts and is called shallow`() {
        let deep = coach(workout(1.4).resting(1).repeating(.squat, [2, 2, 2]).resting(1), .squat)
        #expect(deep.repetitions.allSatisfy { !$0.faults.contains { $0.code == .shallow } })
        let shallow = coach(workout(1.4).resting(1).repeating(.squat, [2, 2, 2], depth: 0.5).resting(1), .squat)
        #expect(shallow.count == 3)
        #expect(
            shallow.repetitions.allSatisfy { repetition in
                repetition.faults.contains {
                    $0.code == .shallow && $0.measured > $0.expected + $0.tolerance
                        && $0.joint?.rawValue.hasSuffix("Knee") == true
                }
            })
    }

    @Test(arguments: [(0.0, false), (1.5, true)])
    func `knees that the depth alone shows bent are reported only where the picture shows them`(
        yaw: Double, isBent: Bool
    ) {
        let frames = workout(yaw).resting(1).repeating(.squat, [2, 2]).resting(1).frames
        var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
        for (time, pose) in frames {
            // The model sees the knees a hand's length before the body, in the picture only where that is seen.
            let (forward, aside) = (Float(cos(yaw)) * 0.2, Float(sin(yaw)) * 0.2)
            var (points, space) = (pose.keypoints, pose.keypoints3D)
            for key in [JointKey.leftKnee, .rightKnee] {
                space[key]?.position += SIMD3(aside, 0, forward)
                points[key]?.location.x += Double(aside) / 1.75 * 0.7 / (16.0 / 9)
            }
            coach.append(Pose(from: points, keypoints3D: space, id: nil, confidence: 1), at: time)
        }
        coach.finish()
        #expect(coach.count == 2)
        #expect(coach.repetitions.allSatisfy { $0.faults.contains { $0.code == .notLockedOut } == isBent })
    }

    @Test func `a hasty squat is called too fast`() {
        let found = coach(workout(1.4).resting(1).repeating(.squat, [0.7, 0.7, 0.7]).resting(1), .squat)
        #expect(found.count == 3)
        #expect(found.repetitions.allSatisfy { $0.faults.contains { $0.code == .tooFast } })
    }

    @Test(arguments: [(Workout.Exercise.curl, Exercise.bicepCurl), (.squat, .squat), (.hinge, .deadlift)])
    func `a person who stops in the middle of a repetition gets no fault`(
        movement: Workout.Exercise, exercise: Exercise
    ) {
        let frames = workout(1.4).resting(1).repeating(movement, [2, 2, 2]).resting(1).frames
        // The third repetition goes from 5 to 7 s and turns at 6 s.
        for stop in stride(from: 4.8, through: 7, by: 0.1) {
            var coach = ExerciseCoach(exercise, aspectRatio: 16.0 / 9)
            for (time, pose) in frames where time <= stop { coach.append(pose, at: time) }
            coach.finish()
            #expect(coach.repetitions.flatMap(\.faults).isEmpty, "stopped at \(stop) s")
            if stop < 6.5 { #expect(coach.count == 2, "stopped at \(stop) s") }
        }
    }

    @Test func `a tempo is the fault of no joint`() {
        let rules = ExerciseLibrary.all.flatMap(\.faults).filter { $0.quantity == .duration }
        #expect(rules.count > 5 && rules.allSatisfy(\.joints.isEmpty))
        let found = coach(workout(1.4).resting(1).repeating(.squat, [0.7, 0.7, 0.7]).resting(1), .squat)
        let hasty = found.repetitions.flatMap(\.faults).filter { $0.unit == .seconds }
        #expect(!hasty.isEmpty && hasty.allSatisfy { $0.joint == nil && $0.joints.isEmpty })
    }

    @Test func `a body out of sight pauses the count and adds nothing`() {
        let frames = workout(1.2).resting(1).repeating(.squat, [2, 2, 2, 2]).resting(1).frames
        var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
        for (time, pose) in frames {
            // Hidden for half a second on the way down of the second.
            let isHidden = (3.3...3.8).contains(time)
            coach.append(isHidden ? nil : pose, at: time)
            if isHidden { #expect(coach.phase == ExerciseCoach.lost) }
        }
        #expect(coach.count == 4)
    }

    @Test(arguments: [true, false])
    func `a repetition of which a part was not seen has no symmetry`(hasFrames: Bool) throws {
        var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
        for (time, pose) in workout(0.6).resting(1).repeating(.squat, [2, 2, 2]).resting(1).frames {
            let isMissing = (3.2..<4.1).contains(time)
            if !isMissing || hasFrames { coach.append(isMissing ? nil : pose, at: time) }
        }
        coach.finish()
        try #require(coach.count == 3)
        #expect(coach.repetitions.map { $0.symmetry != nil } == [true, false, true])
    }

    @Test(arguments: [true, false]) func `a position is not held while it is not seen`(hasFrames: Bool) {
        var still = Exercise.plank
        still.traits = [BodyTrait(.knee, .middle, 140...180, tolerance: 20)]
        var coach = ExerciseCoach(still, aspectRatio: 16.0 / 9)
        for (time, pose) in workout(0.6).resting(14).frames {
            let isMissing = (6.0..<8.1).contains(time)
            if !isMissing || hasFrames { coach.append(isMissing ? nil : pose, at: time) }
        }
        coach.finish()
        #expect(coach.holds.count == 2, "\(coach.holds)")
        #expect(coach.holds.allSatisfy { $0.end <= 6.1 || $0.start >= 8 })
    }

    @Test func `frames that are missing give up a repetition as nobody in view does`() {
        func count(hasFrames: Bool) -> Int {
            var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
            // From halfway down the second to the rest after the third.
            for (time, pose) in workout(1.2).resting(1).repeating(.squat, [2, 2, 2, 2]).resting(1).frames {
                let isMissing = (3.8..<6.9).contains(time)
                if !isMissing || hasFrames { coach.append(isMissing ? nil : pose, at: time) }
            }
            coach.finish()
            return coach.count
        }
        #expect(count(hasFrames: true) == 2 && count(hasFrames: false) == 2)
    }

    @Test func `what a cross-fade to another side cuts off is no repetition`() {
        let before = workout(1.5).resting(1).repeating(.squat, [2, 2]).frames
        let after = workout(0).resting(1).repeating(.squat, [2]).resting(1).frames
        var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
        // Lost on the way down of the second, and back standing, seen from the front.
        for (time, pose) in before where time < 3.8 { coach.append(pose, at: time) }
        for frame in 0..<6 { coach.append(nil, at: 3.8 + Double(frame) / 30) }
        for (time, pose) in after { coach.append(pose, at: 4 + time) }
        coach.finish()
        #expect(coach.count == 2)
        #expect(coach.refused(of: coach.counted).map(\.reason) == ["the view is interrupted"])
    }

    @Test func `at the end the repetitions are the counter's`() {
        // A third and a fourth squat too shallow to be recognised one by one.
        let squats = workout(1.2).resting(1).repeating(.squat, [2, 2]).repeating(.squat, [2, 2], depth: 0.34)
        var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
        for (time, pose) in squats.repeating(.squat, [2]).resting(1).frames { coach.append(pose, at: time) }
        #expect(coach.count == 3)
        let added = coach.finish()
        #expect(coach.count == 5 && coach.counted.count == 5)
        #expect(added == Array(coach.repetitions[2..<4]))
        for (one, counted) in zip(coach.repetitions, coach.counted) {
            #expect(abs(one.start - counted.start) < 0.4 && abs(one.end - counted.end) < 0.4)
        }
        #expect(added.allSatisfy { (0.3..<0.5).contains($0.depth ?? 0) && $0.faults.contains { $0.code == .shallow } })
    }

    @Test func `what the coach looks at is reported, and why a movement did not count`() throws {
        var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
        coach.append(nil, at: 0)
        #expect(coach.look.debugMessage == "knee not seen" && coach.look.value == nil)
        let frames = workout(1.4).resting(1).repeating(.squat, [2]).resting(0.5).frames
        var values: [Double] = []
        for (time, pose) in frames {
            coach.append(pose, at: 1 + time)
            let look = coach.look
            #expect(look.measure == .knee && look.joints == Set(.hips + .knees + .ankles))
            if let value = look.value { values.append(value) }
        }
        #expect((values.min() ?? 0) < 110 && (values.max() ?? 0) > 160)
        var plank = ExerciseCoach(.plank, aspectRatio: 16.0 / 9)
        for (time, pose) in workout(1.4).resting(1).frames { plank.append(pose, at: time) }
        #expect(plank.look.debugMessage.contains("trunk middle"), "\(plank.look.debugMessage)")
        var strict = Exercise.squat
        strict.traits = [BodyTrait(.knee, .range, 170...180, tolerance: 1)]
        var picky = ExerciseCoach(strict, aspectRatio: 16.0 / 9)
        for (time, pose) in workout(1.4).resting(1).repeating(.squat, [2]).resting(1).frames {
            picky.append(pose, at: time)
        }
        #expect(picky.count == 0 && picky.look.debugMessage.contains("; not counted: knee range"), "\(picky.look)")
    }

    @Test func `phases come in their order`() {
        var coach = ExerciseCoach(.squat, aspectRatio: 16.0 / 9)
        var phases: [String] = []
        for (time, pose) in workout(1.4).resting(1).repeating(.squat, [3]).resting(1).frames {
            coach.append(pose, at: time)
            if phases.last != coach.phase { phases.append(coach.phase) }
        }
        #expect(phases.filter { $0 != "bottom" } == ["top", "down", "up", "top"])
    }

    @Test(arguments: [
        (Workout.Exercise.squat, 1.4, "squat"), (.curl, 1.3, "bicep_curl"), (.hinge, 1.5, "deadlift"),
        (.jack, 0.1, "jumping_jack"),
    ])
    func `the exercise is recognised`(movement: Workout.Exercise, yaw: Double, name: String) {
        let found = coach(workout(yaw).resting(1).repeating(movement, [1.8, 2, 2, 1.8]).resting(1), nil)
        #expect(found.exercise?.name == name)
        #expect(found.count == 4)
    }

    /// Steps towards a camera look like lunges of half a second, which nobody does.
    @Test func `what no body can do so quickly is not named`() {
        let quick = coach(workout(1.4).resting(1).repeating(.squat, Array(repeating: 0.4, count: 8)).resting(1), nil)
        #expect(quick.exercise == nil)
        let brisk = coach(workout(1.4).resting(1).repeating(.squat, Array(repeating: 0.8, count: 8)).resting(1), nil)
        #expect(brisk.exercise?.name == "squat")
    }

    @Test func `nothing is recognised in somebody who stands about`() {
        #expect(coach(workout().resting(8), nil).exercise == nil)
    }
}
