import Foundation

/// How much of two movements is explained if the second is the first one again, or the first one in a mirror.
///
/// 1 is all of it, and movements that have nothing in common have 0.
struct SideLikeness: Sendable {
    private(set) var plain: Float
    private(set) var mirrored: Float
    private var count: Float = 1

    /// Compares movements moment by moment: how the joints are in them, or with `inPlace` where they are, too.
    ///
    /// What is seen from the front has its x turned about; what is seen from the side has not. Both are looked at, and
    /// that mirror is taken in which the mean posture looks most like itself.
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

    /// Takes the mean with another comparison of the same set.
    mutating func add(_ other: SideLikeness) {
        let share = other.count / (count + other.count)
        plain += (other.plain - plain) * share
        mirrored += (other.mirrored - mirrored) * share
        count += other.count
    }

    /// Whether the mirror explains much, and clearly more than the same again.
    func isMirrored(_ configuration: CountingConfiguration) -> Bool {
        mirrored > configuration.leastMirrored && mirrored - plain > configuration.clearlyMirrored
    }

    /// Whether the same again explains clearly more than the mirror.
    func isPlain(_ configuration: CountingConfiguration) -> Bool { plain - mirrored > configuration.clearlyMirrored }
}

extension JointRow {
    /// The joints with left and right exchanged; seen from the front x is turned about, too.
    func exchanged(turned: Bool) -> JointRow {
        var image = self
        for (left, right) in BodyJoints.pairs {
            for axis in 0...1 {
                (image[2 * left + axis], image[2 * right + axis]) = (self[2 * right + axis], self[2 * left + axis])
            }
        }
        guard turned else { return image }
        for joint in 0..<Self.joints { image[2 * joint] = -image[2 * joint] }
        return image
    }

    /// Whether a posture looks more like itself with x turned about, as seen from the front.
    var mirror: Bool { (exchanged(turned: true) - self).squared < (exchanged(turned: false) - self).squared }
}

/// What a body did lately, to compare its sides.
struct SeenMovement: Sendable {
    private var rows: [SeenBody] = []
    /// When the view changed.
    private var breaks: [TimeInterval] = []
    /// How many moments of a movement are compared.
    private static let moments = 16

    /// Takes the joints of the next pose and forgets those of long ago.
    mutating func append(_ joints: BodyJoints, isBreak: Bool, at time: TimeInterval, memory: TimeInterval) {
        if isBreak { breaks.append(time) }
        rows.append(SeenBody(joints, after: rows.last, at: time))
        guard let first = rows.first, time - first.time > 2 * memory else { return }
        rows.removeFirst(rows.partitioningIndex { time - $0.time < memory })
        breaks.removeAll { time - $0 > memory }
    }

    /// How a repetition is like the next one; nil where one was not seen or the view changed.
    func likeness(_ one: Repetition, _ next: Repetition) -> SideLikeness? {
        guard let first = moments(one.start, one.end), let second = moments(next.start, next.end),
            !isBroken(one.start, next.end)
        else { return nil }
        return SideLikeness(first, second, inPlace: false)
    }

    /// How a repetition's first half is like its second; nil where it was not seen or the view changed.
    ///
    /// The way out and the way back of one side mirror each other in part, as when the trunk turns to one side and back.
    /// Only where the joints are tells them from two sides.
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

    /// The joints from the body's middle at even moments of a time.
    private func moments(_ start: TimeInterval, _ end: TimeInterval) -> [JointRow]? {
        guard end > start, let first = rows.first, let last = rows.last, start > first.time - 0.1, end < last.time + 0.1
        else { return nil }
        return (0..<Self.moments).map { moment in
            let time = start + (end - start) * Double(moment) / Double(Self.moments)
            return rows[min(rows.partitioningIndex { $0.time >= time }, rows.count - 1)].row.centred
        }
    }
}
