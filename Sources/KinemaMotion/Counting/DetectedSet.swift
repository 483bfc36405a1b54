import Foundation

/// A set that was chosen in a stretch of movement.
struct DetectedSet: Sendable {
    let repetitions: [Repetition]
    let start: TimeInterval, end: TimeInterval
    /// The mean probability of its repetitions.
    let probability: Float
    /// The place of its explanation.
    let way: Int?
    let phase: SetPhase
    /// How far the body moves in a repetition, in the stretch before the first one, and after the last one, body sizes.
    let path: Float, pathBefore: Float, pathAfter: Float

    /// Whether the middle of a repetition lies in it.
    func includes(_ other: Repetition) -> Bool { (start...max(start, end)).contains((other.start + other.end) / 2) }

    func overlaps(_ other: DetectedSet) -> Bool { min(end, other.end) > max(start, other.start) }

    /// How long a repetition takes, seconds.
    var rhythm: TimeInterval { TimeInterval(median(repetitions.map { Float($0.duration) })) }

    /// Whether another set, on the other side of a break, may be the same one.
    func isLike(_ other: DetectedSet, within pause: TimeInterval, _ mostOtherRhythm: Double) -> Bool {
        max(rhythm, other.rhythm) < mostOtherRhythm * min(rhythm, other.rhythm)
            && max(start, other.start) - min(end, other.end) < pause + 2 * max(rhythm, other.rhythm)
    }
}

/// A break in what was seen, such as a cut to another camera, and what the movement before it showed: a set may go on.
struct SetBreak: Sendable {
    /// The last pose before it and the first one after it, seconds.
    let last: TimeInterval, first: TimeInterval
    /// The sets before it, and what could be one if a set went on after it.
    let sets: [DetectedSet], unsure: [DetectedSet]
}
