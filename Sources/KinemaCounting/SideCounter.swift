import KinemaCore
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

/// How much of two movements is explained if the second repeats the first, or mirrors it.
///
/// 1 is all of it; movements that have nothing in common score 0.
struct SideLikeness: Sendable {
    private(set) var plain: Float
    private(set) var mirrored: Float
    private var count: Float = 1

    /// Compares movements sample by sample: the joints relative to each movement's mean or, with `inPlace`, also their
    /// mean positions.
    ///
    /// Mirroring flips x in a frontal view but not in a side view. The view is chosen in which the mean posture is most
    /// symmetric.
    init(_ one: [JointRow], _ other: [JointRow], inPlace: Bool) {
        let middle = JointRow.mean(one + other)
        let mirror = middle.mirror
        var (all, plain, mirrored): (Float, Float, Float) = (1e-9, 0, 0)
        let (first, second) = inPlace ? (middle, middle) : (JointRow.mean(one), JointRow.mean(other))
        for (here, there) in zip(one, other) {
            let image = here.exchanged(turned: mirror)
            all += (here - first).squared + (there - second).squared
            plain += ((here - first) - (there - second)).squared
            mirrored +=
                inPlace
                ? (image - there).squared
                : ((here - first).exchanged(turned: mirror) - (there - second)).squared
        }
        (self.plain, self.mirrored) = (1 - plain / all, 1 - mirrored / all)
    }

    /// Averages with another comparison of the same set.
    mutating func add(_ other: SideLikeness) {
        let share = other.count / (count + other.count)
        plain += (other.plain - plain) * share
        mirrored += (other.mirrored - mirrored) * share
        count += other.count
    }

    /// Whether mirroring explains much, and clearly more than repeating.
    func isMirrored(_ configuration: CountingConfiguration) -> Bool {
        mirrored > configuration.leastMirrored && mirrored - plain > configuration.clearlyMirrored
    }

    /// Whether repeating explains clearly more than mirroring.
    func isPlain(_ configuration: CountingConfiguration) -> Bool { plain - mirrored > configuration.clearlyMirrored }
}

extension JointRow {
    /// The joints with left and right exchanged; with `turned`, as in a frontal view, x is negated too.
    func exchanged(turned: Bool) -> JointRow {
        let image = sidesExchanged
        return turned ? image.xReversed : image
    }

    /// Whether a posture is more symmetric with x flipped, as in a frontal view.
    var mirror: Bool { (exchanged(turned: true) - self).squared < (exchanged(turned: false) - self).squared }
}

/// A body's recent movement, to compare its sides.
struct SeenMovement: Sendable {
    private var rows: [SeenBody] = []
    /// When the view changed.
    private var breaks: [TimeInterval] = []
    /// How many samples of a movement are compared.
    private static let moments = 16

    /// Adds the joints of the next pose and discards old ones.
    mutating func append(_ joints: BodyJoints, isBreak: Bool, at time: TimeInterval, memory: TimeInterval) {
        if isBreak { breaks.append(time) }
        rows.append(SeenBody(joints, after: rows.last, at: time))
        guard let first = rows.first, time - first.time > 2 * memory else { return }
        rows.removeFirst(rows.partitioningIndex { time - $0.time < memory })
        breaks.removeAll { time - $0 > memory }
    }

    /// Whether a repetition's movement is still known.
    func holds(_ one: Repetition) -> Bool { moments(one.start, min(one.end, rows.last?.time ?? one.end)) != nil }

    /// How similar a repetition is to the next one; nil if either was not seen or the view changed.
    func likeness(_ one: Repetition, _ next: Repetition) -> SideLikeness? {
        guard let first = moments(one.start, one.end), let second = moments(next.start, next.end),
            !isBroken(one.start, next.end)
        else { return nil }
        return SideLikeness(first, second, inPlace: false)
    }

    /// How similar a repetition's first half is to its second; nil if it was not seen or the view changed.
    ///
    /// The way out and the way back of one side partly mirror each other, as when the trunk turns to one side and back.
    /// Only the joints' positions distinguish them from two sides.
    func halves(_ one: Repetition) -> SideLikeness? {
        let middle = (one.start + one.end) / 2
        guard let first = moments(one.start, middle), let second = moments(middle, one.end),
            !isBroken(one.start, one.end)
        else { return nil }
        return SideLikeness(first, second, inPlace: true)
    }

    private func isBroken(_ start: TimeInterval, _ end: TimeInterval) -> Bool {
        breaks.contains { $0 > start && $0 <= end }
    }

    /// The joints relative to the body's centre, sampled evenly between two times.
    private func moments(_ start: TimeInterval, _ end: TimeInterval) -> [JointRow]? {
        guard end > start, let first = rows.first, let last = rows.last, start > first.time - 0.1, end < last.time + 0.1
        else { return nil }
        return (0..<Self.moments).map { moment in
            let time = start + (end - start) * Double(moment) / Double(Self.moments)
            return rows[min(rows.partitioningIndex { $0.time >= time }, rows.count - 1)].row.centred
        }
    }
}

/// How movements that alternate sides are counted, such as lunges, marching or curls of one arm after the other.
///
/// It has no effect on movements that do not alternate.
public enum Alternation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Left and right together are one repetition; a side left over at the end is one too.
    case pairs
    /// Each side is a repetition.
    case each
}
