import KinemaMotion
import KinemaCounting
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaSynth

/// How often the coach finds faults, and only those, in rendered people whose joints are projected with errors.
struct FaultTests {
    struct Tally {
        var found = 0
        var invented = 0
        var missed = 0
        var repetitions = 0
        var counted = 0
        var scenes = 0
        var named = 0

        var precision: Double { Double(found) / Double(max(1, found + invented)) }
        var recall: Double { Double(found) / Double(max(1, found + missed)) }
    }

    private static let movements: [(Movement, String)] = [
        (.squat, "squat"), (.pushUp, "push_up"), (.bicepsCurl, "bicep_curl"), (.frontRaise, "front_raise"),
        (.lateralRaise, "lateral_raise"), (.shoulderPress, "shoulder_press"), (.lunge, "lunge"),
    ]

    @Test func `nine of ten faults are found, and nine of ten found are real`() throws {
        var tally = Tally()
        for (movement, name) in Sweep.of(Self.movements, or: [0, 1, 2, 6].map { Self.movements[$0] }) {
            let exercise = try #require(ExerciseLibrary.exercise(named: name))
            let faults = MovementFault.allCases.filter { $0.movements.contains(movement) }
            for fault in [nil] + faults.map(Optional.some) {
                for seed in Sweep.of([1, 2] as [UInt64], or: [1]) {
                    take(movement, exercise, fault, seed: seed, into: &tally)
                }
            }
        }
        print(
            "faults: precision \(tally.precision), recall \(tally.recall); repetitions \(tally.counted) of "
                + "\(tally.repetitions); named \(tally.named) of \(tally.scenes)")
        #expect(tally.precision >= 0.9)
        #expect(tally.recall >= 0.9)
        #expect(Double(tally.counted) >= 0.98 * Double(tally.repetitions))
        #expect(Double(tally.named) >= 0.9 * Double(tally.scenes))
    }

    private func take(
        _ movement: Movement, _ exercise: Exercise, _ fault: MovementFault?, seed: UInt64, into tally: inout Tally
    ) {
        // What hides what is seen in a small picture too.
        let scene = SynthScene.coached(
            movement, fault: fault, seed: seed, settings: .init(width: 320, height: 240))
        let truth = scene.truth()
        var coach = ExerciseCoach(exercise)
        var witness = ExerciseCoach()
        for (time, pose) in ProjectedPoses(truth, seed: seed).frames {
            coach.append(pose, at: time)
            witness.append(pose, at: time)
        }
        coach.finish()
        witness.finish()
        tally.scenes += 1
        if witness.exercise?.name == exercise.name { tally.named += 1 }
        for real in truth.people[0].repetitions {
            tally.repetitions += 1
            let match = coach.repetitions.first { told in
                let shared = min(told.end, real.end) - max(told.start, real.start)
                return shared > 0.4 * min(told.end - told.start, real.end - real.start)
            }
            if match != nil { tally.counted += 1 }
            let (truth, told) = (Set(real.faults), Set(match?.faults.map(\.code.rawValue) ?? []))
            tally.found += truth.intersection(told).count
            tally.invented += told.subtracting(truth).count
            tally.missed += truth.subtracting(told).count
        }
    }
}

/// The truth of a scene as a pose model would see it: every joint off by some part of the body's size, a part of the
/// error drifting for a fifth of a second, joints out of view off by more and less sure.
struct ProjectedPoses {
    let frames: [(time: Double, pose: Pose)]

    init(_ truth: Truth, seed: UInt64) {
        var random = RandomSource(seed: seed &* 77 &+ 5)
        var drift: [String: SIMD3<Double>] = [:]
        let aspect = Double(truth.width) / Double(truth.height)
        var smoother = PoseSmoother(aspectRatio: aspect)
        func error() -> SIMD3<Double> {
            func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + random.number(in: 0...1) } }
            return SIMD3(normal(), normal(), normal())
        }
        var frames: [(Double, Pose)] = []
        for (index, frame) in truth.people[0].frames.enumerated() {
            let time = truth.frameRate.seconds(atFrame: index)
            let heights = frame.keypoints.values.map(\.y)
            let widths = frame.keypoints.values.map(\.x)
            let size = max(
                (heights.max() ?? 1) - (heights.min() ?? 0), ((widths.max() ?? 1) - (widths.min() ?? 0)) * aspect)
            let keep = exp(-1 / truth.frameRate.perSecond / 0.2)
            var flat: [JointKey: JointPoint] = [:]
            var space: [JointKey: JointPoint3D] = [:]
            for (name, joint) in frame.keypoints.sorted(by: { $0.key < $1.key }) {
                let key = JointKey(rawValue: name)
                let isSeen = joint.visibility == .visible
                drift[name] = (drift[name] ?? .zero) * keep + error() * (1 - keep * keep).squareRoot()
                // Shares of the body's size, as measured on rendered people.
                let off = ((drift[name] ?? .zero) + error() * 0.4) * (isSeen ? 0.006 : 0.015)
                let confidence: Float = isSeen ? 0.95 : joint.visibility == .occluded ? 0.6 : 0.1
                flat[key] = JointPoint(
                    key, location: CGPoint(x: joint.x + off.x * size / aspect, y: joint.y + off.y * size),
                    confidence: confidence)
                if let place = frame.keypoints3D[name] {
                    // A body of 1.7 m; depth is twice as uncertain.
                    let wrong = off * SIMD3(1.7, 1.7, 3.4)
                    space[key] = JointPoint3D(
                        key,
                        position: SIMD3(
                            Float(place[0] + wrong.x), Float(place[1] + wrong.y), Float(place[2] + wrong.z)),
                        confidence: confidence)
                }
            }
            let pose = Pose(from: flat, keypoints3D: space, id: 1, confidence: 1)
            frames.append((time, smoother.smooth([pose], at: time).first ?? pose))
        }
        self.frames = frames
    }
}
