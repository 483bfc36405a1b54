import Foundation

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
