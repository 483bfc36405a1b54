import Foundation
package import KinemaCore

/// The coach's measurement in one frame, for the debug display.
package struct CoachLook: Sendable, Hashable {
    /// The followed measure; nil for a hold, and while no exercise is recognised.
    package var measure: BodyMeasure?
    /// Its value in the measure's unit; nil where the joints are missing.
    package var value: Double?
    package var unit: Fault.Unit?
    /// The confidence of the measure's joints, 0...1.
    package var confidence: Float?
    /// The progress of the movement: 0 at rest, 1 where a full repetition turns; nil where it is not followed.
    package var progress: Double?
    package var joints: Set<JointKey> = []
    /// A short line for the screen, such as "knee=124°", as FormKit's rules give it.
    package var debugMessage = ""
}

extension ExerciseCoach {
    /// The display time of the reason why a movement was refused, seconds.
    private static let showing: TimeInterval = 2

    package var look: CoachLook {
        guard let tracker else { return CoachLook(debugMessage: watching) }
        var look = tracker.exercise.motion.map(look(at:)) ?? lookAtHold(tracker)
        if let refusal = tracker.refusals.last, let now = newest?.time, now - refusal.end < Self.showing {
            look.debugMessage += "; not counted: \(refusal.reason)"
        }
        return look
    }

    /// The evidence for the exercises so far, as text.
    private var watching: String {
        let names = evidence.prefix(3).map { "\($0.exercise.name) \($0.seconds.text(1)) s" }
        return names.isEmpty ? "no repetition of any exercise yet" : names.joined(separator: ", ")
    }

    private func look(at motion: ExerciseMotion) -> CoachLook {
        let measure = newest.map(motion.followed(in:)) ?? motion.measure
        var look = CoachLook(measure: measure, unit: measure.unit)
        look.joints = Set(measure.joints + motion.guides.flatMap(\.measure.joints))
        guard let newest, newest[measure].isFinite else {
            look.debugMessage = "\(measure.name) not seen"
            return look
        }
        let (value, confidence) = (Double(newest[measure]), newest.confidence(of: measure))
        (look.value, look.confidence) = (value, confidence)
        look.progress = motion.progress(of: newest)?.value
        look.debugMessage = "\(measure.name)=\(measure.unit.text(value))"
        if confidence < motion.minimumConfidence {
            look.debugMessage +=
                " unsure: \(Double(confidence).text(2)), needs \(Double(motion.minimumConfidence).text(2))"
        }
        return look
    }

    /// A position is held while every trait is shown; the weakest trait gives the reason otherwise.
    private func lookAtHold(_ tracker: ExerciseTracker) -> CoachLook {
        var look = CoachLook(joints: Set(tracker.exercise.traits.flatMap(\.measure.joints)))
        guard newest != nil else {
            look.debugMessage = "no person in view"
            return look
        }
        look.debugMessage = tracker.worstTrait(trail)?.text ?? "every trait matches"
        return look
    }
}
