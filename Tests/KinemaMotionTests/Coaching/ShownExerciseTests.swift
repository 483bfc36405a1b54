@testable import KinemaCounting
import Foundation
import KinemaCore
import Testing

/// Exercises learnt from repetitions, and what their coach reports.
struct ShownExerciseTests {
    /// A figure that repeats a movement; `change` alters every stance.
    private func workout(
        _ movement: Workout.Exercise = .squat, seconds: [Double] = [2, 2.1, 1.9, 2], yaw: Double = 0.9,
        change: @escaping @Sendable (inout StickFigure.Stance, Double) -> Void = { _, _ in }
    ) -> Workout {
        var workout = Workout()
        workout.figure.yaw = yaw
        workout.figure.jitter = 0.002
        workout = workout.resting(1)
        for duration in seconds {
            workout.pieces.append(
                Workout.Piece(duration: duration, isRepetition: true) { share in
                    let phase = 0.5 - 0.5 * cos(2 * .pi * share)
                    var stance = movement.stance(phase)
                    change(&stance, phase)
                    return stance
                })
        }
        return workout.resting(1)
    }

    private func demonstration(_ workout: Workout, fault: String? = nil, kept: ClosedRange<Int>? = nil) -> Demonstration
    {
        var shown = Demonstration(aspectRatio: 16.0 / 9, fault: fault, kept: kept)
        for (time, pose) in workout.frames { shown.append(pose, at: time) }
        shown.finish()
        return shown
    }

    private func coached(_ workout: Workout, _ exercise: Exercise) -> ExerciseCoach {
        var coach = ExerciseCoach(exercise, aspectRatio: 16.0 / 9)
        for (time, pose) in workout.frames { coach.append(pose, at: time) }
        coach.finish()
        return coach
    }

    /// Four good squats, which most tests learn from.
    private static let good = Self().demonstration(Self().workout())

    private func squat() throws -> Exercise {
        try Exercise(learnedFrom: [Self.good], name: "my_squat", title: "My squat")
    }

    @Test func `a recording of another exercise is found among the others, right or wrong`() {
        let squats = [
            Self.good, demonstration(workout(seconds: [2, 1.8, 2.2], yaw: 0.7)), demonstration(workout(yaw: 1.1)),
        ]
        let curls = demonstration(workout(.curl))
        #expect(Demonstration.odd(among: squats).isEmpty)
        #expect(Demonstration.odd(among: squats + [curls]) == [3])
        #expect(Demonstration.odd(among: [squats[0], curls]) == [0, 1])
        let wrong = demonstration(workout(.curl), fault: "too slow")
        #expect(Demonstration.odd(among: squats + [wrong]) == [3])
        let shallow = demonstration(
            workout(change: { stance, phase in stance = Workout.Exercise.squat.stance(0.6 * phase) }), fault: "shallow")
        #expect(Demonstration.odd(among: squats + [shallow]).isEmpty)
    }

    private func texts(_ coach: ExerciseCoach) -> [String] { coach.repetitions.flatMap(\.faults).compactMap(\.words) }

    @Test func `what was shown is alike and without findings, in the mirror too`() throws {
        let exercise = try squat()
        for yaw in [0.9, -0.9] {
            let coach = coached(workout(yaw: yaw), exercise)
            #expect(coach.count == 4)
            #expect(coach.repetitions.allSatisfy { ($0.likeness ?? 0) > 80 }, "\(coach.repetitions.map(\.likeness))")
            #expect(texts(coach).isEmpty)
            #expect(coach.repetitions.allSatisfy { (0.9...1.1).contains($0.depth ?? 0) })
        }
    }

    @Test func `a course lasts from the start over the turn to the start`() throws {
        let shown = try #require(try squat().shown)
        let knee = try #require(shown.measures.first { $0.measure == .leftKnee })
        #expect(knee.mean.count == ShownExercise.points && knee.mean.min() == knee.mean[9...11].min())
        #expect(abs(knee.mean[0] - knee.mean[20]) < 8)
        #expect(knee.spread.allSatisfy { $0 >= BodyMeasure.leftKnee.traits.floor - 0.1 })
        let tempo = shown.tempo
        #expect(abs(tempo.whole.mean - 2) < 0.3 && tempo.out.mean + tempo.pause.mean + tempo.back.mean < 2.2)
        #expect(shown.repetitions == 4 && shown.recordings == 1)
    }

    @Test func `repetitions cut from turn to turn are learnt as most are cut`() throws {
        let workout = workout()
        var follower = BodyFollower(aspectRatio: 16.0 / 9, memory: 60)
        for (time, pose) in workout.frames { _ = follower.follow(pose, at: time) }
        let turns = workout.truth.map { ($0.lowerBound + $0.upperBound) / 2 }
        let upsideDown = try #require(RepetitionCourse(follower.trail, from: turns[0], to: turns[1]))
        let others = Array(Self.good.courses.dropFirst())
        for right in [[[upsideDown], others], [others, [upsideDown]]] {
            let shown = ShownLearner(right).shown
            let knee = try #require(shown.measures.first { $0.measure == .leftKnee })
            #expect(knee.mean[0] > knee.mean[ShownExercise.turn] + 50, "\(knee.mean)")
            let alone = try #require(try squat().shown?.measures.first { $0.measure == .leftKnee })
            #expect(knee.spread[5] < 1.5 * alone.spread[5])
        }
        // One that is as it should be, coached, is not taken for the other cut, nor the other way round.
        let shown = try #require(try squat().shown)
        #expect(try #require(ShownReview(upsideDown, shown)).course.isRolled)
        #expect(others.allSatisfy { ShownReview($0, shown)?.course.isRolled == false })
    }

    @Test func `half the depth is reported as such, and nothing else about the knees`() throws {
        let coach = coached(
            workout { stance, phase in stance = Workout.Exercise.squat.stance(0.55 * phase) }, try squat())
        #expect(coach.repetitions.allSatisfy { $0.faults.first?.code == .shallow }, "\(texts(coach))")
        #expect(coach.repetitions.allSatisfy { (0.4...0.75).contains($0.depth ?? 0) })
        #expect(!texts(coach).contains { $0.contains("knee") })
    }

    @Test func `where nothing that was shown moves, no depth is made up`() throws {
        var exercise = try squat()
        var still = try #require(exercise.shown)
        for index in still.measures.indices {
            still.measures[index].courses = still.measures[index].courses.map {
                Array(repeating: $0[0], count: $0.count)
            }
        }
        exercise.kind = .shown(still)
        let coach = coached(workout(), exercise)
        #expect(coach.count == 4 && coach.repetitions.allSatisfy { $0.depth == nil })
    }

    @Test(arguments: [(1.8, FaultCode.tooSlow), (0.5, .tooFast)])
    func `another tempo is reported`(factor: Double, code: FaultCode) throws {
        let coach = coached(workout(seconds: [2, 2, 2, 2].map { $0 * factor }), try squat())
        #expect(coach.count == 4)
        #expect(coach.repetitions.allSatisfy { $0.faults.contains { $0.code == code } }, "\(texts(coach))")
    }

    @Test func `the seconds of a dose replace the tempo shown`() throws {
        var exercise = try squat()
        var shown = try #require(exercise.shown)
        shown.dose = ShownExercise.Dose(sets: 3, repetitions: 10, seconds: 3.8)
        exercise.kind = .shown(shown)
        let read = try ExerciseLibrary.read(JSONEncoder().encode(exercise), file: "x.json")
        #expect(read.first?.shown?.dose == shown.dose)
        let slow = coached(workout(seconds: [3.8, 3.8, 3.8]), exercise), fast = coached(workout(), exercise)
        #expect(slow.count == 3 && fast.count == 4)
        #expect(!slow.repetitions.flatMap(\.faults).contains { $0.code == .tooSlow || $0.code == .tooFast })
        #expect(fast.repetitions.allSatisfy { $0.faults.contains { $0.code == .tooFast } }, "\(texts(fast))")
        #expect(texts(fast).contains { $0.hasSuffix("times as fast as prescribed") })
        let figure = try #require(ExerciseFigure(exercise))
        #expect((3...4).contains(figure.seconds))
    }

    @Test func `a finding about tempo is explained in seconds, without joints`() throws {
        let coach = coached(workout(seconds: [3.6, 3.6, 3.6, 3.6]), try squat())
        let explained = coach.reviews.explained
        let tempo = try #require(explained.first { $0.words.contains("times as slow as shown") })
        #expect(tempo.joints.isEmpty && tempo.points.isEmpty)
        let seconds = try #require(tempo.seconds)
        let (shown, done) = (try #require(seconds.shown.last), try #require(seconds.done[tempo.review].last))
        #expect((1.5...2.1).contains(done / shown) && seconds.done.count == coach.count)
        let lean = coached(workout { stance, phase in stance.lean += 0.5 * phase }, try squat()).reviews.explained
        #expect(lean.contains { $0.seconds == nil && !$0.joints.isEmpty && !$0.points.isEmpty })
    }

    @Test func `a range is explained once, whichever measure shows it`() throws {
        let shown = try #require(try squat().shown)
        let low = demonstration(workout { stance, phase in stance = Workout.Exercise.squat.stance(0.55 * phase) })
        let course = try #require(low.courses.first)
        let reviews = try [[BodyMeasure.leftKnee, .rightKnee], [.leftHip, .rightHip]].map { measures in
            var part = shown
            part.measures.removeAll { shown.moving.contains($0) && !measures.contains($0.measure) }
            return try #require(ShownReview(course, part))
        }
        #expect(Set(reviews.compactMap { $0.range()?.measure }).count == 2)
        #expect(reviews.explained.count { $0.words.contains("of the range shown") } == 1)
    }

    @Test func `a trunk that leans is named with its direction`() throws {
        let coach = coached(workout { stance, phase in stance.lean += 0.5 * phase }, try squat())
        #expect(
            coach.repetitions.allSatisfy { $0.faults.contains { $0.words?.hasPrefix("trunk leans") == true } },
            "\(texts(coach))")
        #expect(!texts(coach).contains { $0.contains("less forward") || $0.contains("leans less") })
        // The same for words in other languages.
        let leans = coach.repetitions.flatMap(\.faults).filter { $0.words?.contains("more forward") == true }
        #expect(leans.allSatisfy { $0.measureName == "leanForward" && $0.side == nil && $0.measured > $0.expected })
        #expect(coach.repetitions.allSatisfy { $0.faults.count <= 3 })
    }

    @Test func `a fault is named from two examples, and not where it is absent`() throws {
        let leaning: @Sendable (inout StickFigure.Stance, Double) -> Void = { $0.lean += 0.5 * $1 }
        let wrong = demonstration(workout(change: leaning), fault: "bent over", kept: 1...2)
        let exercise = try Exercise(learnedFrom: [Self.good, wrong], name: "squat")
        #expect(exercise.shown?.faults.map(\.name) == ["bent over"])
        #expect(exercise.shown?.faults.first?.examples == 2)
        let coach = coached(workout(seconds: [2.2, 2.2, 2.2], change: leaning), exercise)
        #expect(
            coach.repetitions.allSatisfy { $0.faults.first?.words?.hasPrefix("bent over (by ") == true },
            "\(texts(coach))")
        let right = coached(workout(seconds: [2.2, 2.2, 2.2]), exercise)
        #expect(right.count == 3 && texts(right).isEmpty)
    }

    @Test func `one exercise among several is recognised`() throws {
        let names: [Workout.Exercise] = [.squat, .frontRaise, .lateralRaise, .curl]
        let exercises = try names.map { try Exercise(learnedFrom: [demonstration(workout($0))], name: $0.rawValue) }
        for name in names {
            var coach = ExerciseCoach(recognising: exercises, aspectRatio: 16.0 / 9)
            for (time, pose) in workout(name, seconds: [2.3, 2.3, 2.3]).frames { coach.append(pose, at: time) }
            coach.finish()
            #expect(coach.exercise?.name == name.rawValue && coach.count == 3)
        }
    }

    @Test func `what was shown with a wide spread is not recognised in everything`() throws {
        let names: [Workout.Exercise] = [.squat, .frontRaise, .lateralRaise]
        var exercises = try names.map { try Exercise(learnedFrom: [demonstration(workout($0))], name: $0.rawValue) }
        var wide = try #require(exercises[0].shown)
        for index in wide.measures.indices { wide.measures[index].spread = wide.measures[index].spread.map { 50 * $0 } }
        exercises[0].kind = .shown(wide)
        for name in names.dropFirst() {
            var coach = ExerciseCoach(recognising: exercises, aspectRatio: 16.0 / 9)
            for (time, pose) in workout(name, seconds: [2.3, 2.3, 2.3]).frames { coach.append(pose, at: time) }
            coach.finish()
            #expect(coach.exercise?.name == name.rawValue)
        }
    }

    @Test func `a coached recording is cut like the one it was taught from`() throws {
        var isCorrected = false
        for seconds in [[2, 2.1, 1.9, 2], [1.2, 1.5, 1.1, 1.4, 1.2], [3, 2.4, 2.8]] {
            let workout = workout(seconds: seconds), shown = demonstration(workout)
            var coach = ExerciseCoach(try Exercise(learnedFrom: [shown], name: "mine"), aspectRatio: 16.0 / 9)
            for (time, pose) in workout.frames { coach.append(pose, at: time) }
            let live = coach.repetitions.map { [$0.start, $0.end] }
            let ended = coach.finish(), whole = shown.repetitions.map { [$0.start, $0.end] }
            #expect(ended.count == max(0, whole.count - live.count))
            #expect(coach.repetitions.map { [$0.start, $0.end] } == whole)
            #expect(coach.reviews.count == coach.count)
            isCorrected = isCorrected || live != whole
        }
        #expect(isCorrected)
    }

    @Test func `the end withdraws what the whole recording does not show, as far as it is remembered`() throws {
        let workout = workout()
        var follower = BodyFollower(aspectRatio: 16.0 / 9, memory: 60), late = follower
        for (time, pose) in workout.frames {
            _ = follower.follow(pose, at: time)
            if time > 4 { _ = late.follow(pose, at: time) }
        }
        let turns: [Double] = [0.5] + workout.truth.map { ($0.lowerBound + $0.upperBound) / 2 } + [9.4]
        let live = zip(turns, turns.dropFirst()).map { Repetition(start: $0, end: $1, confidence: 0.9) }
        let whole = workout.truth.map { Repetition(start: $0.lowerBound, end: $0.upperBound, confidence: 0.9) }
        var tracker = ExerciseTracker(try squat())
        #expect(tracker.take(live, isEnd: false, trail: follower.trail).count == 5)
        let mixed = live.prefix(2).map(\.start) + whole.suffix(2).map(\.start)
        for (trail, starts) in [(late.trail, mixed), (follower.trail, whole.map(\.start))] {
            tracker.settle(whole, trail: trail)
            _ = tracker.take([], isEnd: true, trail: trail)
            #expect(tracker.repetitions.map(\.start) == starts && tracker.fits.count == 4)
        }
        #expect(tracker.reviews.count == 4 && tracker.repetitions.allSatisfy { ($0.likeness ?? 0) > 80 })
        #expect(tracker.evidence == tracker.fits.reduce(0, +))
    }

    @Test func `repetitions before and after a cut are learnt from`() {
        var shown = Demonstration(aspectRatio: 16.0 / 9)
        let frames = workout().frames
        let length = (frames.last?.0 ?? 0) + 0.1
        for shot in 0...1 {
            for (time, pose) in frames {
                var pose = pose
                pose.shot = shot
                for key in pose.keypoints.keys { pose.keypoints[key]?.location.x += 0.2 * Double(shot) }
                shown.append(pose, at: time + Double(shot) * length)
            }
        }
        shown.finish()
        #expect(shown.cuts == 1 && shown.repetitions.count == 8)
        #expect(shown.courses.count == 8 && shown.unseen.isEmpty)
    }

    @Test func `progress goes from the start to the turn and back`() throws {
        var coach = ExerciseCoach(try squat(), aspectRatio: 16.0 / 9)
        var seen: [Double] = []
        for (time, pose) in workout(seconds: [2]).frames {
            coach.append(pose, at: time)
            seen.append(coach.progress)
        }
        let far = try #require(seen.max()), first = try #require(seen.first), last = try #require(seen.last)
        #expect((0.8...1.2).contains(far) && abs(first) < 0.2 && abs(last) < 0.2)
    }

    @Test func `too little to learn from is refused in a line`() throws {
        func message(_ shown: [Demonstration]) -> String {
            do {
                return try Exercise(learnedFrom: shown, name: "x").name
            } catch { return error.message }
        }
        #expect(message([]).hasPrefix("0 right repetitions found"))
        #expect(message([demonstration(Workout().resting(4))]).hasPrefix("0 right repetitions found"))
        #expect(message([demonstration(workout(), kept: 2...2)]).hasPrefix("1 right repetition found"))
        let wrong = demonstration(Workout().resting(4), fault: "knees in")
        #expect(
            message([Self.good, wrong]) == "no repetition was found in the recordings of \"knees in\"")
    }

    // MARK: The file

    private func message(_ change: (inout [String: Any], inout [String: Any]) -> Void) throws -> String {
        let data = try JSONEncoder().encode(try squat())
        var whole = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var shown = try #require(whole["shown"] as? [String: Any])
        var measures = try #require(shown["measures"] as? [[String: Any]])
        change(&shown, &measures[0])
        shown["measures"] = measures
        whole["shown"] = shown
        do {
            return try ExerciseLibrary.read(JSONSerialization.data(withJSONObject: whole), file: "x.json")[0].name
        } catch let error as KinemaError { return error.message }
    }

    @Test func `a file comes back as it was written, and again`() throws {
        let data = try JSONEncoder().encode(try squat())
        let read = try #require(try ExerciseLibrary.read(data, file: "x.json").first)
        #expect(try ExerciseLibrary.read(JSONEncoder().encode(read), file: "x.json") == [read])
        #expect(data.count < ExerciseLimits.bytes / 10)
        #expect(coached(workout(), read).count == 4)
    }

    @Test func `nonsense is refused with its place`() throws {
        #expect(
            try message { shown, _ in shown["version"] = 2 }.hasPrefix("shown.version: 2 is newer than this Kinema"))
        #expect(try message { shown, _ in shown["color"] = "red" }.contains("has the key \"color\", which is unknown"))
        let tempo = ["whole": ["mean": 1, "spread": 1]]
        #expect(try message { shown, _ in shown["tempo"] = tempo } == "shown.tempo: has no out")
        #expect(try message { shown, _ in shown["recordings"] = 0.5 }.hasPrefix("shown.recordings: 0.5 is not between"))
        #expect(try message { $1["courses"] = [[1, 2, 3]] }.hasPrefix("shown.measures[0].courses: must be at most 12"))
        #expect(try message { $1["courses"] = [[Int]]() } == "shown.measures[0].courses: has no course")
        for spread in [[Int](repeating: 0, count: 21), [Int](repeating: 5, count: 20)] {
            #expect(try message { $1["spread"] = spread }.contains("must be 21 numbers between 0.1 and 1000"))
        }
        #expect(try message { $1["spread"] = [Int](repeating: 5, count: 5000) }.contains("has more than 40 entries"))
        let far = [Double](repeating: 1e9, count: 21)
        #expect(try message { $1["courses"] = [far] }.contains("numbers that a body can have"))
        #expect(try message { $1["measure"] = "nose" }.contains("\"nose\" is unknown"))
        #expect(try message { shown, _ in shown["skeleton"] = [[1, 2]] }.contains("lists of 39 numbers"))
    }

    @Test func `every measure has a mirror image and words for both directions`() {
        for measure in BodyMeasure.shown {
            let (other, sign) = measure.mirrored
            #expect(other.mirrored.measure == measure && other.mirrored.sign == sign)
            #expect(measure.words(20) != measure.words(-20) && !measure.words(20).contains("@"))
            // Any lean of the trunk is judged by its direction.
            #expect(measure.traits.floor > 0 && measure.traits.views.isEmpty == (measure == .trunk))
        }
        #expect(Set(BodyMeasure.shown.map(\.sidelessName)).count == 24)
        #expect(BodyMeasure.rightThighOut.sidelessName == "thighOut" && BodyMeasure.twist.sidelessName == "twist")
        #expect(BodyMeasure.leftKnee.words(14) == "left knee 14 degrees less bent")
        #expect(BodyMeasure.handGap.words(-0.2) == "hands 20 % of the trunk's length closer together")
    }
}
