import Kinema
import OpenCombine

/// A rule's count and phase, for views that observe them.
final class RepCounter: ObservableObject {
    @Published private(set) var currentReps = 0
    @Published private(set) var currentPhase = "idle"
    private var counter: ExerciseRepCounter

    init(rule: any ExerciseRule = TemplateExerciseRule()) {
        counter = ExerciseRepCounter(rule: rule)
    }

    func processPose(_ joints: [HumanBodyPoseObservation.PoseJointName: Joint]) {
        counter.processPose(joints)
        // A view is told of changes only.
        if currentReps != counter.currentReps { currentReps = counter.currentReps }
        if currentPhase != counter.currentPhase { currentPhase = counter.currentPhase }
    }
}

/// Finds the first person of every third frame and publishes the joints that were found.
final class PoseEstimator: ObservableObject {
    @Published private(set) var bodyParts: [HumanBodyPoseObservation.PoseJointName: Joint] = [:]
    @Published private(set) var analysedFrames = 0
    let repCounter: RepCounter
    private var frameCount = 0

    init(rule: any ExerciseRule) {
        repCounter = RepCounter(rule: rule)
    }

    func process(_ frame: VideoFrame) async {
        frameCount += 1
        guard frameCount % 3 == 1 else { return }
        var request = DetectHumanBodyPoseRequest()
        request.detectsHands = false
        let people = (try? await request.perform(on: frame)) ?? []
        bodyParts = people.first?.allJoints().filter { $0.value.confidence > 0 } ?? [:]
        analysedFrames += 1
        repCounter.processPose(bodyParts)
    }
}
