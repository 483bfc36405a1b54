public import Foundation

/// Reviews one repetition: depth, tempo, symmetry and faults.
struct RepetitionReview {
    let exercise: Exercise
    let motion: ExerciseMotion
    let swing: Swing
    /// Whether the swing began and ended at the exercise's far end.
    let isInverted: Bool
    let trail: ReadingTrail

    /// The confidence below which a measure is not judged, 0...1: one half, as throughout Vision's samples.
    private static let judged = 0.5

    private var whole: ArraySlice<BodyReading> { trail.between(swing.start, swing.end) }

    var fit: Double { exercise.fit(to: whole) }

    func repetition() -> CoachedRepetition {
        CoachedRepetition(
            start: swing.start, end: swing.end, depth: swing.range, tempo: tempo, symmetry: symmetry, side: side,
            faults: faults)
    }

    /// The far end lasts while the movement is within a tenth of its range from it.
    private var tempo: CoachedRepetition.Tempo {
        let near = whole.filter { progress($0) >= swing.high - 0.1 * swing.range }
        let (from, to) = (near.first?.time ?? swing.far, near.last?.time ?? swing.far)
        let (away, back) = (max(0, from - swing.start), max(0, swing.end - to))
        let isEccentric = motion.phases.beginsEccentric != isInverted
        return CoachedRepetition.Tempo(
            eccentric: isEccentric ? away : back, pause: to - from, concentric: isEccentric ? back : away)
    }

    private func progress(_ reading: BodyReading) -> Double {
        motion.progress(of: reading).map { isInverted ? 1 - $0 : $0 } ?? -.infinity
    }

    private var sideRanges: (left: Double, right: Double)? {
        guard let sides = motion.measure.sides else { return nil }
        let window = whole
        guard min(window.confidence(of: sides.left), window.confidence(of: sides.right)) >= Self.judged,
            let left = window.value(sides.left, .range), let right = window.value(sides.right, .range)
        else { return nil }
        return (left, right)
    }

    private var symmetry: Double? {
        guard !motion.isOneSided, isSeen, let (left, right) = sideRanges, max(left, right) > 0 else { return nil }
        return min(left, right) / max(left, right)
    }

    private var isSeen: Bool {
        let window = whole
        let seen = window.filter { motion.progress(of: $0) != nil }.map(\.time)
        return SightGap(window.map(\.time)).isUnbroken(seen, from: swing.start, to: swing.end)
    }

    private var side: BodySide? {
        guard motion.isOneSided, let (left, right) = sideRanges else { return nil }
        // A repetition of one side moves the other by less than half.
        if left < 0.5 * right { return .right }
        return right < 0.5 * left ? .left : nil
    }

    private var faults: [Fault] { exercise.faults.compactMap(find) }

    private func find(_ rule: FaultRule) -> Fault? {
        // An interrupted return has no end to judge.
        let window = !swing.isSeenToItsEnd && rule.phase == endPhase ? [] : readings(in: rule.phase)
        let duration = swing.isSeenToItsEnd ? swing.duration : nil
        return FaultFinder(rule: rule, window: window, duration: duration, view: whole.view)
            .fault(phase: name(of: rule.phase))
    }

    private var endPhase: FaultRule.Phase { isInverted ? .far : .rest }

    private func readings(in phase: FaultRule.Phase) -> [BodyReading] {
        switch (phase, isInverted) {
        case (.whole, _): return Array(whole)
        case (.far, false), (.rest, true):
            return whole.filter { progress($0) >= swing.high - 0.15 * swing.range }
        case (.rest, false), (.far, true):
            let last = trail.readings.last?.time ?? swing.end
            return trail.between(swing.far, last).filter { progress($0) <= swing.after + 0.1 * swing.range }
        }
    }

    private func name(of phase: FaultRule.Phase) -> String {
        switch phase {
        case .whole: "whole"
        case .far: motion.phases.far
        case .rest: motion.phases.rest
        }
    }
}

extension ExerciseMotion {
    /// The progress of the movement: 0 at rest, 1 where a full repetition turns; nil when the joints are not seen.
    func progress(of reading: BodyReading) -> Double? { progress(of: reading, followed(in: reading)) }

    /// The followed measure; of separate sides, the one farther from rest.
    func followed(in reading: BodyReading) -> BodyMeasure {
        guard isOneSided, let sides = measure.sides else { return measure }
        let (left, right) = (progress(of: reading, sides.left), progress(of: reading, sides.right))
        guard let left, let right else { return left == nil && right != nil ? sides.right : sides.left }
        return left > right ? sides.left : sides.right
    }

    private func progress(of reading: BodyReading, _ main: BodyMeasure) -> Double? {
        guard reading.confidence(of: main) >= minimumConfidence, reading[main].isFinite else { return nil }
        var sum = (Double(reading[main]) - rest) / (full - rest)
        var count = 1.0
        for guide in guides where reading.confidence(of: guide.measure) >= minimumConfidence {
            sum += (Double(reading[guide.measure]) - guide.rest) / (guide.full - guide.rest)
            count += 1
        }
        // Momentary errors must not become the resting posture.
        return min(1.8, max(-0.4, sum / count))
    }

    /// The smallest swing that counts, as a share of a full one.
    var minimumShare: Double { minimumSwing / abs(full - rest) }
}

/// The longest gap in frames or visibility that still counts as seen.
package struct SightGap: Sendable, Hashable {
    /// Seconds.
    package let longest: TimeInterval

    /// Half a second, which is shorter than a fast repetition, or three frames if that is longer.
    private static let (seconds, frames) = (0.5, 3.0)

    /// The gap for frames at these increasing times.
    package init(_ times: [TimeInterval]) {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        longest = max(Self.seconds, Self.frames * (steps.isEmpty ? 0 : steps[steps.count / 2]))
    }

    package func isUnbroken(_ moments: some Sequence<TimeInterval>, from start: TimeInterval, to end: TimeInterval)
        -> Bool
    {
        var before = start
        for time in moments {
            if time - before > longest { return false }
            before = time
        }
        return end - before <= longest
    }
}

/// A repeated movement that is not a repetition of the exercise.
public struct RefusedMovement: Codable, Sendable, Hashable {
    /// The start and end, seconds.
    public var start: TimeInterval, end: TimeInterval
    /// The reason, in words.
    public var reason: String

    package init(start: TimeInterval, end: TimeInterval, reason: String) {
        (self.start, self.end, self.reason) = (start, end, reason)
    }
}

extension ExerciseCoach {
    /// The repetitions of a `RepetitionCounter` that this coach refused, with reasons; call it after `finish()`.
    package func refused(of counted: [Repetition]) -> [RefusedMovement] {
        if exercise?.isHold == true || exercise?.shown != nil { return [] }
        return counted.filter { one in
            !repetitions.contains { Self.overlap($0.start...max($0.start, $0.end), one) > 0 }
        }.map { RefusedMovement(start: $0.start, end: $0.end, reason: reason(for: $0)) }
    }

    private func reason(for movement: Repetition) -> String {
        guard let exercise, let motion = exercise.motion, let tracker else { return "no exercise was recognised" }
        let found = tracker.refusals.map { ($0, Self.overlap($0.start...max($0.start, $0.end), movement)) }
        guard let most = found.max(by: { $0.1 < $1.1 }), most.1 > 0 else {
            return "\(motion.measure.name) moves less than in a \(exercise.title.lowercased())"
        }
        return most.0.reason
    }

    private static func overlap(_ time: ClosedRange<TimeInterval>, _ movement: Repetition) -> TimeInterval {
        min(time.upperBound, movement.end) - max(time.lowerBound, movement.start)
    }
}
