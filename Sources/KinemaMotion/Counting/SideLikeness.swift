import Foundation

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
