import Foundation

/// Counts the sides of an alternating movement in pairs or individually, repetition by repetition.
///
/// Whether a set alternates is decided from what was seen of it so far, so no report is ever withdrawn.
struct SideCounter: Sendable {
    private let alternation: Alternation
    private let configuration = CountingConfiguration()
    private var seen = SeenMovement()
    /// How similar repetitions of the set are to the ones after them, and their halves to each other.
    private var sides: SideLikeness?
    private var halves: SideLikeness?
    /// The newest repetition, and one that may be the first side of a pair.
    private var last: Repetition?
    private var held: Repetition?

    init(_ alternation: Alternation) { self.alternation = alternation }

    /// Adds the joints of the next pose; a break is a cut or a gap.
    mutating func append(_ joints: BodyJoints, isBreak: Bool, at time: TimeInterval) {
        seen.append(joints, isBreak: isBreak, at: time, memory: configuration.memory)
    }

    /// Accepts repetitions that became certain, and returns those to report.
    mutating func take(_ found: [Repetition]) -> [Repetition] { found.flatMap { take($0) } }

    /// Returns a held side once it has waited too long for its other side.
    mutating func wait(until time: TimeInterval) -> [Repetition] {
        guard let held, time - held.end > patience(after: held) else { return [] }
        return finish()
    }

    /// Ends the set and returns the side left over.
    mutating func finish() -> [Repetition] {
        defer { (held, last, sides, halves) = (nil, nil, nil, nil) }
        return held.map { [$0] } ?? []
    }

    /// Joins or divides the repetitions of a whole recording; nil if what was seen of the first is no longer known.
    mutating func recount(_ all: [Repetition]) -> [Repetition]? {
        guard all.allSatisfy({ seen.holds($0) }) else { return nil }
        (held, last, sides, halves) = (nil, nil, nil, nil)
        return take(all) + finish()
    }

    private mutating func take(_ one: Repetition) -> [Repetition] {
        var told: [Repetition] = []
        if let last {
            // A repetition that was missed and is reported late is not paired.
            if one.start < last.start { return [one] }
            if one.start - last.end > patience(after: last) { told = finish() }
            // If a set begins in the middle of a movement, its first repetition is only a part.
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

    /// Joins a side with the held one, or holds it.
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

    /// How long after a side its other side may begin, seconds.
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
