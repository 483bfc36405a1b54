import KinemaCore
import KinemaMotion
import Testing

struct ExerciseLibraryTests {
    @Test func `names are unique and every exercise says what it must show`() {
        let all = ExerciseLibrary.all
        #expect(all.count == 14 && Set(all.map(\.name)).count == all.count)
        for exercise in all {
            #expect(exercise.name.allSatisfy { $0.isLowercase || $0 == "_" })
            #expect(!exercise.title.isEmpty && !exercise.views.isEmpty && exercise.traits.count >= 4)
            #expect(!exercise.faults.isEmpty)
            // A tempo is the fault of no joint.
            for fault in exercise.faults {
                #expect(fault.joints.isEmpty == (fault.quantity == .duration) && fault.tolerance > 0)
            }
            for trait in exercise.traits { #expect(trait.tolerance > 0) }
        }
    }

    @Test(arguments: ExerciseLibrary.all.compactMap(\.motion))
    func `a movement's numbers make sense`(motion: ExerciseMotion) {
        let range = abs(motion.full - motion.rest)
        #expect(motion.minimumSwing > 0.2 * range && motion.minimumSwing < 0.6 * range)
        #expect(motion.duration.lowerBound >= 0.25 && motion.duration.upperBound <= 15)
        #expect((0.1...0.6).contains(motion.minimumConfidence))
    }

    @Test(arguments: [
        ("squat", "squat"), ("Push-Up", "push_up"), ("pushups", "push_up"), ("press up", "push_up"),
        ("bicepsCurl", "bicep_curl"), ("biceps_curl", "bicep_curl"), ("curls", "bicep_curl"),
        ("overhead press", "shoulder_press"), ("chin-up", "pull_up"), ("PLANK", "plank"),
    ])
    func `an exercise is found however it is spelled`(spelled: String, name: String) {
        #expect(ExerciseLibrary.exercise(named: spelled)?.name == name)
    }

    @Test(arguments: ["", "squid", "push"]) func `what is unknown is not found`(name: String) {
        #expect(ExerciseLibrary.exercise(named: name) == nil)
    }
}
