package import Foundation
package import KinemaCore

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

enum ExerciseLimits {
    /// Bytes in a file: the whole library takes some forty thousand.
    static let bytes = 1 << 20
    /// Exercises in a file: during recognition each is tracked in every frame.
    static let exercises = 100
    /// Characters in a name, which has to fit on a picture.
    static let textLength = 60
    /// Aliases, traits, faults, guides or joints of one exercise: three times the library's maximum.
    static let listLength = 40
    /// Degrees, torso lengths, shares or seconds: wider than any body's measures.
    static let values = -1000.0...1000
    /// Seconds in a repetition: at least two frames, and less than the 30 s that a coach remembers.
    static let durations: ClosedRange<TimeInterval> = 0.1...25
}

/// The built-in exercises, and the reader for your own.
public enum ExerciseLibrary {
    /// Every built-in exercise, in the order listed, from a file in the same format as your own.
    public static let all: [Exercise] = builtIn

    /// The exercise with a name, in any spelling: "push_up", "push-up", "Push up", "pushup"; nil if there is none.
    public static func exercise(named name: String) -> Exercise? { exercise(named: name, in: all) }

    package static func exercise(named name: String, in exercises: [Exercise]) -> Exercise? {
        let wanted = plain(name)
        return exercises.first { ([$0.name] + $0.aliases).map(plain).contains(wanted) }
    }

    private static func plain(_ name: String) -> String {
        let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        // Singular and plural are equivalent: squats, curls.
        return letters.hasSuffix("s") && !letters.hasSuffix("ss") ? String(letters.dropLast()) : letters
    }
}

/// The names of a movement's phases, in order.
package struct PhaseNames: Sendable, Hashable {
    package var rest, away, far, back: String
    /// Whether the movement begins with the eccentric phase, like a squat and unlike a curl.
    package var beginsEccentric: Bool

    /// Down first, as in squats and push-ups.
    package static let downFirst = PhaseNames(
        rest: "top", away: "down", far: "bottom", back: "up", beginsEccentric: true)
    /// Up first, as in curls and raises.
    package static let upFirst = PhaseNames(
        rest: "bottom", away: "up", far: "top", back: "down", beginsEccentric: false)
}

/// A movement from rest to its far end and back, in shares of a full repetition's range (rest 0, full 1).
struct Swing: Sendable {
    var start: TimeInterval
    var far: TimeInterval
    var end: TimeInterval
    /// The resting levels before and after, and the far one.
    var before: Double
    var high: Double
    var after: Double
    /// Whether the return was seen to its end, not cut off by the end of the recording.
    var isSeenToItsEnd = true

    var range: Double { high - min(before, after) }
    var duration: TimeInterval { end - start }
    var span: Repetition { Repetition(start: start, end: end, confidence: 0) }
    /// Whether enough of it has returned to count.
    var hasReturned: Bool { high - after >= SwingTracker.comeback * (high - before) }
}

extension ExerciseMotion {
    /// The swing in a counter's cycle, and whether it begins and ends at the far end; nil if the measure is not seen.
    func swing(_ cycle: Repetition, _ trail: ReadingTrail) -> (swing: Swing, isInverted: Bool)? {
        let course = trail.between(cycle.start, cycle.end).compactMap { reading in
            progress(of: reading).map { (time: reading.time, value: $0) }
        }
        guard let first = course.first, let last = course.last, let newest = trail.readings.last else { return nil }
        let values = course.map(\.value)
        let isInverted = first.value + last.value > (values.min() ?? 0) + (values.max() ?? 0)
        func level(_ value: Double) -> Double { isInverted ? 1 - value : value }
        let far = course.max { level($0.value) < level($1.value) } ?? first
        return (
            Swing(
                start: cycle.start, far: far.time, end: cycle.end, before: level(first.value), high: level(far.value),
                after: level(last.value), isSeenToItsEnd: newest.time - cycle.end >= SwingTracker.patience), isInverted
        )
    }
}

/// A position held without a break.
package struct HeldPosition: Sendable, Hashable {
    /// Seconds.
    package var start, end: TimeInterval
    package var faults: [Fault]
}
