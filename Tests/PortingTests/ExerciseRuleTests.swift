import Foundation
import Kinema
import Testing

struct ExerciseRuleTests {
    typealias Joints = [HumanBodyPoseObservation.PoseJointName: Joint]

    /// A right arm with the elbow at an angle in degrees.
    private func arm(_ angle: Double, confidence: Float = 0.9) -> Joints {
        let turn = (angle - 90) * .pi / 180
        func joint(_ name: HumanBodyPoseObservation.JointName, _ x: Double, _ y: Double) -> Joint {
            Joint(location: NormalizedPoint(x: x, y: y), jointName: name.rawValue, confidence: confidence)
        }
        return [
            .rightShoulder: joint(.rightShoulder, 0.5, 0.8), .rightElbow: joint(.rightElbow, 0.5, 0.6),
            .rightWrist: joint(.rightWrist, 0.5 + 0.2 * cos(turn), 0.6 - 0.2 * sin(turn)),
        ]
    }

    @Test func `a counter without a rule is idle and never counts`() {
        var counter = ExerciseRepCounter()
        #expect(counter.currentPhase == "idle")
        for angle in [170.0, 40, 170, 40, 170] { counter.processPose(arm(angle)) }
        #expect(counter.currentReps == 0 && counter.currentPhase == "idle")
        counter.reset()
        #expect(counter.debugMessage == "Counter reset")
    }

    @Test(arguments: [
        ([170.0, 100, 40, 100, 160], 1), ([170, 40, 160, 40, 160], 2), ([170, 60, 170, 60, 170], 0),
        ([170, 40, 140, 40, 140], 0), ([40, 160], 1), ([170, 170], 0),
    ])
    func `a curl is below 50 degrees and beyond 150 again`(angles: [Double], reps: Int) {
        var counter = ExerciseRepCounter(rule: BicepCurlRule())
        for angle in angles { counter.processPose(arm(angle)) }
        #expect(counter.currentReps == reps)
    }

    @Test func `an arm out of sight pauses the curl and keeps its phase`() {
        var counter = ExerciseRepCounter(rule: BicepCurlRule())
        #expect(counter.currentPhase == "tracking lost")
        for joints in [arm(170), arm(40), arm(160, confidence: 0.4), [:]] { counter.processPose(joints) }
        #expect(counter.currentPhase == "tracking lost" && counter.currentReps == 0)
        counter.processPose(arm(160))
        #expect(counter.currentPhase == "down" && counter.currentReps == 1)
        counter.reset()
        #expect(counter.currentReps == 0 && counter.currentPhase == "idle")
    }

    @Test func `your own rule is written as FormKit's readers write it`() {
        struct HandsUp: ExerciseRule {
            let name = "Hands up"
            private var phase: Phase = .down
            private enum Phase { case up, down }

            mutating func evaluate(
                joints: [HumanBodyPoseObservation.PoseJointName: Joint], currentRepCount: Int
            ) -> RepCounterUpdate {
                guard let wrist = joints[.rightWrist], let shoulder = joints[.rightShoulder] else {
                    return RepCounterUpdate(didIncrementRep: false, phase: "tracking lost", debugMessage: "no arm")
                }
                switch phase {
                case .down where wrist.location.y > shoulder.location.y:
                    phase = .up
                    return RepCounterUpdate(didIncrementRep: false, phase: "up", debugMessage: "")
                case .up where wrist.location.y < shoulder.location.y:
                    phase = .down
                    return RepCounterUpdate(didIncrementRep: true, phase: "down", debugMessage: "rep!")
                default:
                    return RepCounterUpdate(
                        didIncrementRep: false, phase: phase == .up ? "up" : "down", debugMessage: "")
                }
            }

            mutating func reset() { phase = .down }
        }
        var counter = ExerciseRepCounter(rule: HandsUp())
        for angle in [170.0, 0, 170, 0, 170] { counter.processPose(arm(angle)) }
        #expect(counter.currentReps == 0)
        #expect(counter.exerciseName == "Hands up")
    }
}
