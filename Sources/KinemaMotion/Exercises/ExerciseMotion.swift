package import Foundation

/// The movement of an exercise: one measure that leaves its resting value, turns, and comes back.
package struct ExerciseMotion: Sendable, Hashable, Encodable {
    /// The measure that is followed.
    package var measure: BodyMeasure
    /// What else shows the same movement, so that one joint seen badly does not hide it; all are averaged.
    package var guides: [Guide] = []
    /// Whether each side counts for itself, as in alternating lunges; else both sides' mean is followed.
    package var isOneSided = false
    /// Whether a set may as well begin at the far end, as a deadlift does from the floor.
    package var startsEitherWay = false
    /// The measure's value in the resting posture.
    package var rest: Double
    /// The value a full repetition reaches.
    package var full: Double
    /// The change that makes a repetition, however incomplete it may be.
    package var minimumSwing: Double
    /// The shortest and the longest repetition, seconds.
    package var duration: ClosedRange<TimeInterval> = 0.25...12
    /// The confidence below which the joints are not believed, 0...1.
    package var minimumConfidence: Float = 0.3
    /// What the phases are called.
    package var phases: PhaseNames

    /// A further measure and its values at rest and at the far end.
    package struct Guide: Sendable, Hashable, Encodable {
        /// The measure that is followed.
        package var measure: BodyMeasure
        /// Its value in the resting posture.
        package var rest: Double
        /// The value a full repetition reaches.
        package var full: Double
    }
}

/// What the phases of a movement are called, in the order they come.
package struct PhaseNames: Sendable, Hashable {
    /// The resting posture.
    package var rest: String
    /// The movement away from it.
    package var away: String
    /// The far end.
    package var far: String
    /// The movement back.
    package var back: String
    /// Whether the way from rest is the one in which the muscles give way (a squat's), not the one in which they
    /// lift (a curl's).
    package var beginsEccentric: Bool

    /// Down first, as in squats and push-ups.
    package static let downFirst = PhaseNames(
        rest: "top", away: "down", far: "bottom", back: "up", beginsEccentric: true)
    /// Up first, as in curls and raises.
    package static let upFirst = PhaseNames(
        rest: "bottom", away: "up", far: "top", back: "down", beginsEccentric: false)
}
