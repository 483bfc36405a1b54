package import KinemaCore

/// A repetition of an exercise as a moving skeleton, to be shown in a loop.
package struct ExerciseFigure: Sendable, Equatable {
    /// The duration of a repetition, seconds.
    package var seconds: Double
    /// Joints relative to the midpoint of the hips in torso lengths: to the picture's right, up, and towards the
    /// camera.
    package var frames: [[JointKey: SIMD3<Double>]]

    package init(seconds: Double, frames: [[JointKey: SIMD3<Double>]]) {
        (self.seconds, self.frames) = (seconds, frames)
    }

    /// The skeleton of a shown exercise; nil for others and if it was omitted.
    package init?(_ exercise: Exercise) {
        guard let shown = exercise.shown else { return nil }
        let frames = shown.skeleton.filter { $0.count == 3 * BodyJoints.keys.count }.map { numbers in
            Dictionary(
                uniqueKeysWithValues: BodyJoints.keys.enumerated().map { index, key in
                    (key, SIMD3(numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]))
                })
        }
        guard frames.count == ShownExercise.points else { return nil }
        let pace = shown.pace
        self.init(seconds: pace.out.mean + pace.pause.mean + pace.back.mean, frames: frames)
    }
}

extension Exercise {
    /// The limb angle that moves most, or that the exercise follows, in degrees: it shows people how far a repetition
    /// goes. Nil if its progress is not an angle.
    package var leadingAngle: ExerciseMotion.Guide? {
        if let motion, motion.measure.isLimbAngle {
            return .init(measure: motion.measure, rest: motion.rest, full: motion.full)
        }
        return shown?.measures.filter { $0.measure.isLimbAngle }.max { $0.extent < $1.extent }.map { one in
            .init(
                measure: one.measure, rest: ShownExercise.Moment.start.mean(one.mean),
                full: ShownExercise.Moment.turn.mean(one.mean))
        }
    }
}

extension ExerciseCoach {
    /// The leading angle in the newest picture and its measure; of separate sides, the one farther from rest. Nil while
    /// its joints are not seen.
    package var leadingAngle: (measure: BodyMeasure, degrees: Double)? {
        guard let exercise, let newest, let lead = exercise.leadingAngle else { return nil }
        let measure = exercise.motion?.followed(in: newest) ?? lead.measure
        let value = newest[measure]
        return value.isFinite && newest.confidence(of: measure) >= 0.3 ? (measure, Double(value)) : nil
    }
}

extension BodyMeasure {
    /// Whether it is the angle at a joint between two limbs, as the first twelve are.
    fileprivate var isLimbAngle: Bool { rawValue <= Self.rightArm.rawValue }
}
