import Foundation

/// How movements that alternate sides are counted, such as lunges, marching or curls of one arm after the other.
///
/// Movements that do not alternate are counted as without it.
public enum Alternation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Left and right together are one repetition; a side left over at the end is one, too.
    case pairs
    /// Each side is a repetition.
    case each
}

/// Counts the sides of an alternating movement as pairs or each for itself, repetition by repetition.
///
/// Whether a set alternates is concluded from what was seen of it so far, so that nothing that was told is taken back.
struct SideCounter: Sendable {
    private let alternation: Alternation
    private let configuration = CountingConfiguration()
    private var seen = SeenMovement()
    /// How repetitions of the set are like the ones after them, and how their halves are like each other.
    private var sides: SideLikeness?
    private var halves: SideLikeness?
    /// The newest repetition, and one that may be the first side of a pair.
    private var last: Repetition?
    private var held: Repetition?

    init(_ alternation: Alternation) { self.alternation = alternation }

    /// Takes the joints of the next pose; a break is a cut or a silence.
    mutating func append(_ joints: BodyJoints, isBreak: Bool, at time: TimeInterval) {
        seen.append(joints, isBreak: isBreak, at: time, memory: configuration.memory)
    }

    /// Takes repetitions that became certain, and returns those to report.
    mutating func take(_ found: [Repetition]) -> [Repetition] { found.flatMap { take($0) } }

    /// Returns the side that waited for the other one for so long that there will be none.
    mutating func wait(until time: TimeInterval) -> [Repetition] {
        guard let held, time - held.end > patience(after: held) else { return [] }
        return finish()
    }

    /// Ends the set and returns the side that was left over.
    mutating func finish() -> [Repetition] {
        defer { (held, last, sides, halves) = (nil, nil, nil, nil) }
        return held.map { [$0] } ?? []
    }

    private mutating func take(_ one: Repetition) -> [Repetition] {
        var told: [Repetition] = []
        if let last {
            // What was overlooked and is told late stands by itself.
            if one.start < last.start { return [one] }
            if one.start - last.end > patience(after: last) { told = finish() }
            // A set that begins in the middle of a movement shows a part of it first.
            if one.duration > configuration.clearlyLonger * last.duration { halves = nil }
        }
        let own = seen.halves(one)
        halves = Self.mean(halves, own)
        let isPair = halves?.isMirrored(configuration) == true && own?.isPlain(configuration) != true
        defer { last = one }
        switch alternation {
        case .each: return told + (isPair ? Self.halves(of: one) : [one])
        case .pairs:
            guard isPair else { return told + pair(one) }
            defer { held = nil }
            return told + (held.map { [$0, one] } ?? [one])
        }
    }

    /// Joins a side with the one that waits for it, or lets it wait.
    private mutating func pair(_ one: Repetition) -> [Repetition] {
        let next = last.flatMap { seen.likeness($0, one) }
        sides = Self.mean(sides, next)
        let mayAlternate = sides?.isMirrored(configuration) ?? true
        guard let first = held else {
            if mayAlternate { held = one }
            return mayAlternate ? [] : [one]
        }
        held = nil
        if sides != nil, mayAlternate, next?.isPlain(configuration) != true {
            return [
                Repetition(
                    start: first.start, end: max(first.end, one.end),
                    confidence: (first.confidence + one.confidence) / 2)
            ]
        }
        if mayAlternate { held = one }
        return mayAlternate ? [first] : [first, one]
    }

    /// How long after a side the other one may begin, seconds.
    private func patience(after one: Repetition) -> TimeInterval { max(configuration.longestPause, 2 * one.duration) }

    private static func halves(of one: Repetition) -> [Repetition] {
        let middle = (one.start + one.end) / 2
        return [
            Repetition(start: one.start, end: middle, confidence: one.confidence),
            Repetition(start: middle, end: one.end, confidence: one.confidence),
        ]
    }

    private static func mean(_ one: SideLikeness?, _ other: SideLikeness?) -> SideLikeness? {
        guard var mean = one else { return other }
        if let other { mean.add(other) }
        return mean
    }
}
