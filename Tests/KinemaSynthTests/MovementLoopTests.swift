import KinemaCore
import Testing

@testable import KinemaSynth

/// The loops that show the built-in exercises.
struct MovementLoopTests {
    private func angle(_ frame: [JointKey: Vector], _ joints: (JointKey, JointKey, JointKey)) throws -> Double {
        let (from, at, to) = (
            try #require(frame[joints.0]), try #require(frame[joints.1]), try #require(frame[joints.2])
        )
        let cosine = (from - at).unit.dot((to - at).unit)
        return arcTangent((max(0, 1 - cosine * cosine)).squareRoot(), cosine) * 180 / .pi
    }

    @Test(arguments: [
        ("squat", 60.0...110), ("lunge", 70...120), ("push_up", 30...110), ("pull_up", 30...90),
        ("bench_press", 25...100), ("shoulder_press", 150...180), ("bicep_curl", 20...60),
    ])
    func `an exercise goes from rest to its turn and back`(name: String, turn: ClosedRange<Double>) throws {
        let loop = try #require(MovementLoop(exercise: name))
        #expect(loop.frames.count == 24 && (1.0...4).contains(loop.seconds))
        let isLegs = ["squat", "lunge"].contains(name)
        let joints: (JointKey, JointKey, JointKey) =
            isLegs ? (.leftHip, .leftKnee, .leftAnkle) : (.leftShoulder, .leftElbow, .leftWrist)
        let angles = try loop.frames.map { try angle($0, joints) }
        #expect(turn.contains(angles[12]), "\(angles)")
        #expect(abs(angles[0] - angles[12]) > 40, "\(angles)")
        #expect(abs(angles[6] - angles[18]) < 1)
    }

    @Test func `a pull-up hangs from hands above the head, and a bench press lies below its hands`() throws {
        let hanging = try #require(MovementLoop(exercise: "pull_up")).frames[0]
        #expect(try #require(hanging[.leftWrist]).y > #require(hanging[.nose]).y + 0.3)
        let lying = try #require(MovementLoop(exercise: "bench_press")).frames[0]
        #expect(try abs(#require(lying[.leftShoulder]).y) < 0.2 && #require(lying[.leftWrist]).y > 0.7)
        #expect(MovementLoop(exercise: "unknown") == nil && MovementLoop(exercise: "plank") != nil)
    }
}
