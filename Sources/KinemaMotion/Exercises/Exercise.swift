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
    /// From the front or from behind; for a person lying, from head or feet.
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
