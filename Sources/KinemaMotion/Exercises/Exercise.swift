package import Foundation

/// An exercise as data: what moves, between which angles, from where it can be seen, and what can go wrong.
///
/// Angles are in degrees, lengths in torso lengths, times in seconds.
public struct Exercise: Sendable, Hashable {
    /// The name used by commands and results, such as "push_up".
    public var name: String
    /// The name for people, such as "Push-up".
    public var title: String
    /// Other names under which it is found.
    package var aliases: [String] = []
    /// From where it can be seen.
    package var views: Set<BodyView> = Set(BodyView.allCases)
    /// What makes it up: repetitions, or a position that is held.
    package var kind: Kind
    /// What every repetition, or the position held, must show, else it is something else; also how it is recognised.
    package var traits: [BodyTrait]
    /// What can go wrong.
    package var faults: [FaultRule] = []

    /// What an exercise is made of.
    package enum Kind: Sendable, Hashable {
        /// Repetitions of a movement there and back.
        case repetitions(ExerciseMotion)
        /// A position held for at least the given seconds.
        case hold(minimum: TimeInterval)
    }

    /// The movement, nil for a position that is held.
    package var motion: ExerciseMotion? {
        if case .repetitions(let motion) = kind { motion } else { nil }
    }
}

/// From where a body is seen.
package enum BodyView: String, Sendable, Hashable, CaseIterable, Codable {
    /// From the front or from behind; of somebody lying, from head or feet.
    case front
    /// From between front and side.
    case diagonal
    /// From the left or the right.
    case side

    /// The view for `BodyMeasure.view`: thirds of the quarter turn.
    init(degrees: Float) {
        self = degrees < 30 ? .front : degrees < 60 ? .diagonal : .side
    }
}

/// The movement of an exercise: one measure that leaves its resting value, turns, and comes back.
package struct ExerciseMotion: Sendable, Hashable {
    /// What is followed.
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
    package struct Guide: Sendable, Hashable {
        /// What is followed.
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
    /// The way from it.
    package var away: String
    /// The far end.
    package var far: String
    /// The way back.
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
