package import Foundation

/// The movement of an exercise: a measure that leaves its resting value and returns.
package struct ExerciseMotion: Sendable, Hashable, Encodable {
    package var measure: BodyMeasure
    /// Further measures of the same movement, averaged in case one joint is seen badly.
    package var guides: [Guide] = []
    /// Whether each side counts separately, as in alternating lunges, rather than their mean.
    package var isOneSided = false
    /// Whether a set may begin at the far end, as a deadlift does from the floor.
    package var startsEitherWay = false
    /// The measure's values in the resting posture, and where a full repetition turns.
    package var rest, full: Double
    /// The least change that counts as a repetition, however incomplete.
    package var minimumSwing: Double
    /// The shortest and the longest repetition, seconds.
    package var duration: ClosedRange<TimeInterval> = 0.25...12
    /// The confidence below which the joints are ignored, 0...1.
    package var minimumConfidence: Float = 0.3
    package var phases: PhaseNames

    /// A further measure and its values at rest and at the far end.
    package struct Guide: Sendable, Hashable, Encodable {
        package var measure: BodyMeasure
        package var rest, full: Double
    }
}
