import Foundation

/// A set chosen in a stretch of movement.
struct DetectedSet: Sendable {
    let repetitions: [Repetition]
    let start: TimeInterval, end: TimeInterval
    /// The mean probability of its repetitions.
    let probability: Float
    /// The index of its explanation.
    let way: Int?
    let phase: SetPhase
    /// How far the body moves in a repetition, before the first one and after the last one within the stretch, body
    /// sizes.
    let path: Float, pathBefore: Float, pathAfter: Float

    /// Whether the midpoint of a repetition lies within it.
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

/// A break in the view, such as a cut to another camera, and the sets before it, which may continue after it.
struct SetBreak: Sendable {
    /// The last pose before it and the first one after it, seconds.
    let last: TimeInterval, first: TimeInterval
    /// The sets before it, and those that count only if a set continues them after it.
    let sets: [DetectedSet], unsure: [DetectedSet]
}
