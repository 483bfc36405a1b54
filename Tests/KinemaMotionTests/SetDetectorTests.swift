@testable import KinemaCounting
import Foundation
import KinemaCore
import Testing

struct SetDetectorTests {
    /// A wave of so many rows a period, between 0 and 1.
    private func wave(_ periods: Int, of rows: Int) -> [Float] {
        (0...periods * rows).map { Float(1 - cos(2 * .pi * Double($0) / Double(rows))) / 2 }
    }

    private func squats(_ durations: [Double], depth: Double = 1, rest: Double = 1) -> Workout {
        var workout = Workout()
        workout.figure.jitter = 0.002
        workout.figure.yaw = 0.6
        return workout.resting(rest).repeating(.squat, durations, depth: depth).resting(rest)
    }

    /// What is detected in all.
    private func found(_ workout: Workout, shot: (Double) -> Bool = { _ in false }) -> [Repetition] {
        var detector = SetDetector()
        for (time, pose) in workout.frames {
            guard let joints = BodyJoints(pose, aspectRatio: 16.0 / 9) else { continue }
            _ = detector.append(joints, isAfterCut: shot(time), at: time)
        }
        return detector.finish().all
    }

    @Test func `a wave turns where it is high and low, and once more at its end`() {
        let points = TurningPoints(wave(3, of: 20), hysteresis: 0.3)
        #expect(points.rows == [0, 10, 20, 30, 40, 50, 60])
        #expect(TurningPoints([0, 0.1, 0, 0.1, 0], hysteresis: 0.3).rows.isEmpty)
        #expect(TurningPoints([], hysteresis: 0.3).rows.isEmpty)
    }

    @Test(arguments: [10, 30, 100])
    func `a cycle's times are those of its smooth beginning and end`(period: Int) throws {
        let still = [Float](repeating: 0, count: 20)
        let values = still + wave(1, of: period) + still
        let workout = Workout().resting(Double(values.count) / MovementTrack.rate + 1)
        let seen = workout.frames.compactMap { time, pose in
            BodyJoints(pose, aspectRatio: 1).map { SeenBody($0, after: nil, at: time) }
        }
        let track = try #require(MovementTrack(seen[...]))
        let cycle = Cycle(values, from: 10, turn: 20 + period / 2, to: values.count - 10)
        let (start, end) = cycle.times(values, track)
        #expect(abs(start - 20 / MovementTrack.rate) < 0.1)
        #expect(abs(end - Double(20 + period) / MovementTrack.rate) < 0.1)
    }

    @Test func `the reasons of a probability add up to it`() throws {
        let trees = CountingWeights.inUse.cycles
        let evidence = (0..<trees.quantities).map { Float(($0 * 7) % 11) / 11 }
        let sum = trees.contributions(evidence).reduce(trees.prior, +)
        #expect(abs(sum - trees.sums(evidence)[0]) < 1e-3)
    }

    /// The probability of a hypothesis of one cycle whose evidence is everywhere the same.
    private func probability(_ value: Float) -> Float {
        let (whole, each) = (CycleEvidence.whole.map { _ in value }, CycleEvidence.each.map { _ in value })
        let one = CycleHypothesis(signal: 0, hysteresis: 0, cycles: [], whole: whole, each: [each])
        return CountingWeights.inUse.probabilities([one])[0][0]
    }

    @Test func `repetitions are found as often and when they are done`() {
        let workout = squats([2, 2.2, 1.8, 2, 2.1])
        let found = found(workout)
        #expect(found.count == 5)
        for (one, truth) in zip(found, workout.truth) {
            #expect(abs(one.start - truth.lowerBound) < 0.3)
            #expect(abs(one.end - truth.upperBound) < 0.3)
        }
    }

    @Test func `what is reported while a set goes on is what the whole of it shows`() throws {
        let workout = squats([2, 2, 2, 2, 2])
        var detector = SetDetector()
        var reported: [Repetition] = []
        for (time, pose) in workout.frames {
            let joints = try #require(BodyJoints(pose, aspectRatio: 16.0 / 9))
            reported += detector.append(joints, isAfterCut: false, at: time)
        }
        #expect(reported.count == 5)
        let (new, all) = detector.finish()
        #expect(new.isEmpty && all.count == 5)
        for (one, other) in zip(reported, all) { #expect(one.overlap(with: other) > 0.7) }
    }

    @Test func `a repetition that a cut divides is one, and a cut in a rest divides none`() {
        for (cut, count) in [(4.0, 6), (5.5, 6), (6.9, 6)] {
            var isBefore = true
            let found = found(squats([2, 2, 2, 2, 2, 2])) { time in
                defer { isBefore = time < cut }
                return time >= cut && isBefore
            }
            #expect(found.count == count, "\(cut)")
        }
    }

    @Test func `what goes farther before a repetition or after it is no part of it`() {
        // From -1 up to 1, down to 0, and on.
        var values = (0..<30).map { -1 + Float($0) / 15 }
        values += (0...30).map { 1 - Float($0) / 20 }
        let cycle = Cycle(values, from: 0, turn: 30, to: 50)
        #expect((15...18).contains(cycle.start) && (47...50).contains(cycle.end))
        let back = Cycle(values.reversed(), from: 10, turn: 30, to: 60)
        #expect((10...13).contains(back.start) && (42...45).contains(back.end))
        // Where the recording ends on the way back, that is not known to end there.
        #expect(Cycle(Array(values[...50]), from: 0, turn: 30, to: 50).start < 5)
    }

    @Test func `poses that were stretched to the picture count`() throws {
        // Two half lateral raises.
        let workout = squats([], rest: 0.5).repeating(.lateralRaise, [2, 2.4], depth: 0.5).resting(1)
        let stretched = workout.frames.map { (time: $0.time, pose: $0.pose.stretched) }
        #expect(stretched.allSatisfy { JointExtent($0.pose).fillsPicture })
        #expect(!workout.frames.contains { JointExtent($0.pose).fillsPicture })
        func found(_ isStretched: Bool) throws -> Int {
            var detector = SetDetector()
            for (time, pose) in stretched {
                let joints = try #require(BodyJoints(pose, aspectRatio: 1))
                _ = detector.append(joints, isAfterCut: false, isStretched: isStretched, at: time)
            }
            return detector.finish().all.count
        }
        #expect(try found(true) == 2)
    }

    @Test func `who stands still does nothing`() {
        #expect(found(Workout().resting(10)).isEmpty)
        #expect(found(Workout()).isEmpty)
    }

    @Test func `a long recording is looked at piece by piece`() {
        let workout = squats(Array(repeating: 3, count: 80))
        #expect((79...81).contains(found(workout).count))
    }

    @Test func `the score is a probability whatever the evidence`() {
        for value in [-1e9, -1, 0, 1, 1e9, .nan] as [Float] {
            #expect((0...1).contains(probability(value)))
        }
    }

    @Test func `trees are read, and what is none is refused`() throws {
        // One quantity with one threshold of 0.5; a tree with 10 on its left side and 30 on its right one, in steps of 0.1.
        var bytes = Data()
        for value in [0.1, 0] as [Float] {
            withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: [1, 1, 0, 0, 0, 0x3F])
        bytes.append(contentsOf: [0, 0, 20, 0, 255, 10, 0, 255, 30, 0])
        let trees = try #require(BoostedTrees(base64: bytes.base64EncodedString()))
        for (value, odds) in [(0.4, 1), (0.5, 1), (0.6, 3)] as [(Float, Float)] {
            #expect(abs(trees.sums([value])[0] - odds) < 1e-5)
            #expect(abs(trees.contributions([value])[0] - (odds - 2)) < 1e-5)
        }
        #expect(abs(trees.prior - 2) < 1e-5)
        #expect(BoostedTrees(base64: bytes.dropLast().base64EncodedString()) == nil)
        #expect(BoostedTrees(base64: bytes.prefix(12).base64EncodedString()) == nil)
        #expect(BoostedTrees(base64: "not base64") == nil)
    }

    /// What six squats of two seconds after one of rest show.
    private func reading(_ expectation: CountExpectation = .anything, until end: Double = .infinity) throws
        -> CountReading
    {
        let seen = squats([2, 2, 2, 2, 2, 2]).frames.filter { $0.time < end }.compactMap { time, pose in
            BodyJoints(pose, aspectRatio: 16.0 / 9).map { SeenBody($0, after: nil, at: time) }
        }
        var configuration = CountingConfiguration()
        configuration.expectation = expectation
        return CountReading(try #require(MovementTrack(seen[...])), configuration)
    }

    @Test func `evidence has a value for each name, and the last solution is nothing`() throws {
        let reading = try reading()
        for hypothesis in reading.hypotheses {
            #expect(hypothesis.whole.count == CycleEvidence.whole.count)
            #expect(hypothesis.each.allSatisfy { $0.count == CycleEvidence.each.count })
            #expect((hypothesis.whole + hypothesis.each.joined()).allSatisfy { $0.isFinite })
        }
        for solution in reading.solutions {
            #expect(solution.evidence.count == SolutionEvidence.names.count)
            #expect(solution.evidence.allSatisfy { $0.isFinite })
        }
        #expect(reading.solutions.last?.count == 0 && reading.solutions.dropLast().allSatisfy { $0.count > 0 })
    }

    @Test func `what is likely adds up, and whoever expects anything believes more in nothing`() throws {
        let (anything, exercise) = (try reading(), try reading(.exercise))
        for reading in [anything, exercise] {
            #expect(abs(reading.solutions.reduce(0) { $0 + $1.probability } - 1) < 1e-4)
            #expect(abs(reading.posterior.probabilities.values.reduce(0, +) - 1) < 1e-6)
            #expect(reading.posterior.count == 6 && reading.chosen?.count == 6)
        }
        #expect(exercise.posterior.probability(of: 0) < anything.posterior.probability(of: 0))
    }

    @Test func `the runs of a solution do not overlap`() throws {
        let sets = try reading().sets.map(\.repetitions)
        #expect(sets.reduce(0) { $0 + $1.count } == 6)
        for (one, next) in zip(sets, sets.dropFirst()) {
            #expect((one.last?.end ?? 0) < (next.first?.start ?? 0) + 0.5)
        }
    }

    @Test func `counts of two stretches add up`() {
        let (one, other) = (CountPosterior([3: 0.75, 4: 0.25]), CountPosterior([0: 0.5, 5: 0.5]))
        let both = one.adding(other)
        #expect(both.probability(of: 8) == 0.375 && both.probability(of: 4) == 0.125)
        #expect(abs(both.probabilities.values.reduce(0, +) - 1) < 1e-9)
        #expect(one.moved(to: 1).probability(of: 2) == 0.25 && CountPosterior([:]).count == 0)
    }

    @Test func `a network of other shapes is refused`() throws {
        let text = String(decoding: CountingData.repetitionNetwork, as: UTF8.self)
        #expect(RepetitionNetwork(text: text) != nil)
        #expect(RepetitionNetwork(text: String(text.dropLast(120))) == nil && RepetitionNetwork(text: "") == nil)
    }
}

extension Pose {
    /// The same pose with its box stretched to the whole picture.
    fileprivate var stretched: Pose {
        guard let box = boundingBox(confidenceThreshold: 0) else { return self }
        var copy = self
        for (key, joint) in keypoints {
            copy.keypoints[key]?.location = CGPoint(
                x: (joint.location.x - box.minX) / box.width, y: (joint.location.y - box.minY) / box.height)
        }
        return copy
    }
}
