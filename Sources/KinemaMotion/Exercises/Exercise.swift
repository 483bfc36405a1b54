package import Foundation

/// An exercise as data: the movement, its angles, the views that show it, and its faults.
///
/// Angles are in degrees, lengths in torso lengths, times in seconds.
public struct Exercise: Sendable, Hashable {
    /// The name used by commands and results, such as "push_up".
    public var name: String
    /// The display name, such as "Push-up".
    public var title: String
    /// Other names under which it is found.
    package var aliases: [String] = []
    package var views: Set<BodyView> = Set(BodyView.allCases)
    /// Repetitions, or a held position.
    package var kind: Kind
    /// The traits of every repetition or hold, by which the exercise is also recognised.
    package var traits: [BodyTrait]
    package var faults: [FaultRule] = []

    package enum Kind: Sendable, Hashable {
        /// Repetitions of a movement out and back.
        case repetitions(ExerciseMotion)
        /// A position held for at least the given seconds.
        case hold(minimum: TimeInterval)
        /// Repetitions as they were shown.
        case shown(ShownExercise)
    }

    package var motion: ExerciseMotion? { if case .repetitions(let motion) = kind { motion } else { nil } }
    package var shown: ShownExercise? { if case .shown(let shown) = kind { shown } else { nil } }
    package var isHold: Bool { if case .hold = kind { true } else { false } }
    /// The names of the phases; nil for a position that is held.
    package var phases: PhaseNames? {
        motion?.phases
            ?? shown.map {
                PhaseNames(rest: "start", away: "out", far: "turn", back: "back", beginsEccentric: $0.beginsEccentric)
            }
    }
}
