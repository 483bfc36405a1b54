public import Foundation

/// An exercise as data: what moves, between which angles, from where it can be seen, and what can go wrong.
///
/// Angles are in degrees, lengths in torso lengths, times in seconds.
public struct Exercise: Sendable, Hashable {
    /// The name used by commands and results, such as "push_up".
    public var name: String
    /// The name for people, such as "Push-up".
    public var title: String
    /// Other names under which it is found.
    public var aliases: [String] = []
    /// From where it can be seen.
    public var views: Set<BodyView> = Set(BodyView.allCases)
    /// What makes it up: repetitions, or a position that is held.
    public var kind: Kind
    /// What every repetition, or the position held, must show, else it is something else; also how it is recognised.
    public var traits: [BodyTrait]
    /// What can go wrong.
    public var faults: [FaultRule] = []

    /// What an exercise is made of.
    public enum Kind: Sendable, Hashable {
        /// Repetitions of a movement there and back.
        case repetitions(ExerciseMotion)
        /// A position held for at least the given seconds.
        case hold(minimum: TimeInterval)
    }

    /// Makes an exercise from its parts.
    public init(
        name: String, title: String, aliases: [String] = [], views: Set<BodyView> = Set(BodyView.allCases), kind: Kind,
        traits: [BodyTrait], faults: [FaultRule] = []
    ) {
        self.name = name
        self.title = title
        self.aliases = aliases
        self.views = views
        self.kind = kind
        self.traits = traits
        self.faults = faults
    }

    /// The movement, nil for a position that is held.
    public var motion: ExerciseMotion? {
        if case .repetitions(let motion) = kind { motion } else { nil }
    }
}

/// From where a body is seen.
public enum BodyView: String, Sendable, Hashable, CaseIterable, Codable {
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
public struct ExerciseMotion: Sendable, Hashable {
    /// What is followed.
    public var measure: BodyMeasure
    /// What else shows the same movement, so that one joint seen badly does not hide it; all are averaged.
    public var guides: [Guide] = []
    /// Whether each side counts for itself, as in alternating lunges; else both sides' mean is followed.
    public var isOneSided = false
    /// Whether a set may as well begin at the far end, as a deadlift does from the floor.
    public var startsEitherWay = false
    /// The measure's value in the resting posture.
    public var rest: Double
    /// The value a full repetition reaches.
    public var full: Double
    /// The change that makes a repetition, however incomplete it may be.
    public var minimumSwing: Double
    /// The shortest and the longest repetition, seconds.
    public var duration: ClosedRange<TimeInterval> = 0.25...12
    /// The confidence below which the joints are not believed, 0...1.
    public var minimumConfidence: Float = 0.3
    /// What the phases are called.
    public var phases: PhaseNames

    /// A further measure and its values at rest and at the far end.
    public struct Guide: Sendable, Hashable {
        /// What is followed.
        public var measure: BodyMeasure
        /// Its value in the resting posture.
        public var rest: Double
        /// The value a full repetition reaches.
        public var full: Double

        /// Makes a guide from a measure and its values at rest and at the far end.
        public init(_ measure: BodyMeasure, rest: Double, full: Double) {
            self.measure = measure
            self.rest = rest
            self.full = full
        }
    }

    /// Makes a movement from the measure and its values at rest and at the far end.
    public init(
        measure: BodyMeasure, guides: [Guide] = [], isOneSided: Bool = false, startsEitherWay: Bool = false,
        rest: Double, full: Double, minimumSwing: Double,
        duration: ClosedRange<TimeInterval> = 0.25...12, minimumConfidence: Float = 0.3, phases: PhaseNames
    ) {
        self.measure = measure
        self.guides = guides
        self.isOneSided = isOneSided
        self.startsEitherWay = startsEitherWay
        self.rest = rest
        self.full = full
        self.minimumSwing = minimumSwing
        self.duration = duration
        self.minimumConfidence = minimumConfidence
        self.phases = phases
    }
}

/// What the phases of a movement are called, in the order they come.
public struct PhaseNames: Sendable, Hashable {
    /// The resting posture.
    public var rest: String
    /// The way from it.
    public var away: String
    /// The far end.
    public var far: String
    /// The way back.
    public var back: String
    /// Whether the way from rest is the one in which the muscles give way (a squat's), not the one in which they
    /// lift (a curl's).
    public var beginsEccentric: Bool

    /// Makes names for four phases.
    public init(rest: String, away: String, far: String, back: String, beginsEccentric: Bool) {
        self.rest = rest
        self.away = away
        self.far = far
        self.back = back
        self.beginsEccentric = beginsEccentric
    }

    /// Down first, as in squats and push-ups.
    public static let downFirst = PhaseNames(
        rest: "top", away: "down", far: "bottom", back: "up", beginsEccentric: true)
    /// Up first, as in curls and raises.
    public static let upFirst = PhaseNames(
        rest: "bottom", away: "up", far: "top", back: "down", beginsEccentric: false)
}
