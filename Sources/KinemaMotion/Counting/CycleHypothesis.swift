import Foundation

/// One way out and back along a signal.
struct Cycle: Sendable {
    /// The rows of the turning points: at one end, at the other, and at the first end again.
    var from: Int, turn: Int, to: Int
    /// The rows where it leaves the first end and where it is back, without the rest there.
    var start: Int, end: Int
    /// How far out and how far back it goes, picture heights.
    var out: Float, back: Float
    /// The same without what belongs to another movement before or after the cycle.
    private var ownOut: Float, ownBack: Float

    /// The smaller of the two.
    var amplitude: Float { min(out, back) }
    /// How long the movement lasts, rows.
    var length: Float { Float(max(1, end - start)) }

    /// Makes a cycle from turning points; the first and last tenth of its excursion count as rest.
    init(_ values: [Float], from: Int, turn: Int, to: Int) {
        (self.from, self.turn, self.to) = (from, turn, to)
        (out, back) = (abs(values[turn] - values[from]), abs(values[turn] - values[to]))
        // At the first or last value the full excursion is unknown.
        (ownOut, ownBack) = (out, back)
        if out > Self.mostUnequal * back, to < values.count - 1 { ownOut = back }
        if back > Self.mostUnequal * out, from > 0 { ownBack = out }
        (start, end) = (turn, turn)
        while start > from, abs(values[start] - values[turn]) < 0.9 * ownOut { start -= 1 }
        while end < to, abs(values[end] - values[turn]) < 0.9 * ownBack { end += 1 }
    }

    /// If one way exceeds the other by more than this factor, the excess is another movement before or after the cycle.
    private static let mostUnequal: Float = 1.2
}

extension Cycle {
    /// Whether the track ends during its way back.
    func isOpen(_ track: MovementTrack) -> Bool {
        Double(track.count - 1 - to) * track.interval < 0.05 && back < 0.9 * out
    }

    /// When it begins and ends, seconds.
    ///
    /// The ends of a smooth movement are too slow to observe, so they are extrapolated along a cosine from where a
    /// tenth and a quarter of the way are passed.
    func times(_ values: [Float], _ track: MovementTrack) -> (start: TimeInterval, end: TimeInterval) {
        /// The row where a share of the way is passed, searched from the turn.
        func passed(_ share: Float, to step: Int, way: Float, until limit: Int) -> Double {
            let far = (1 - share) * way
            var row = turn
            while row != limit, abs(values[row] - values[turn]) < far { row += step }
            guard row != turn else { return Double(row) }
            let (here, before) = (abs(values[row] - values[turn]), abs(values[row - step] - values[turn]))
            let part = before < here ? max(0, min(1, (here - far) / (here - before))) : 0
            return Double(row) - Double(part) * Double(step)
        }
        let (near, far) = (Float(0.1), Float(0.25))
        let outNear = passed(near, to: -1, way: ownOut, until: from)
        let outFar = passed(far, to: -1, way: ownOut, until: from)
        let backNear = passed(near, to: 1, way: ownBack, until: to)
        let backFar = passed(far, to: 1, way: ownBack, until: to)
        let start = max(Double(from), outNear - Self.early * (outFar - outNear))
        let end =
            isOpen(track)
            ? expectedEnd(passed(0.75, to: 1, way: out, until: to), values)
            : min(Double(to), backNear + Self.early * (backNear - backFar))
        func time(_ row: Double) -> TimeInterval { track.origin + row * track.interval }
        return (time(start), time(end))
    }

    /// The row where an unfinished way back will end, along a cosine that passed a quarter of it at the given row.
    private func expectedEnd(_ quarter: Double, _ values: [Float]) -> Double {
        let place = max(-1, min(1, 2 * Double((values[to] - values[from]) / (values[turn] - values[from])) - 1))
        // A cosine passes a quarter of the way after a third of its half cycle.
        let (now, passed) = (acos(place), Double.pi / 3)
        guard now > passed, Double(to) > quarter else { return Double(to) }
        let left = (Double.pi - now) / (now - passed) * (Double(to) - quarter)
        return Double(to) + min(left, Double(turn - start))
    }

    /// The time a cosine takes for its first tenth, over the time from there to a quarter.
    private static let early = 1.59
}

/// A run of cycles: one way to count a stretch of movement.
struct CycleHypothesis: Sendable {
    /// The signal's index among the finder's.
    let signal: Int
    /// The return that makes a turning point, as a share of the signal's range.
    let hysteresis: Float
    let cycles: [Cycle]
    /// The evidence about the whole run, in the order of `CycleEvidence.whole`.
    var whole: [Float]
    /// The evidence about each cycle, in the order of `CycleEvidence.each`.
    var each: [[Float]]
    /// The probability that each cycle is a repetition, 0...1.
    var probabilities: [Float] = []
}

/// How similar the cycles of a run are, in all joints at once.
struct CycleShapes {
    /// How many samples of a cycle are compared.
    static let phases = 16

    let count: Int
    /// The joints' mean.
    let posture: JointRow
    /// The joints at the samples of each cycle, cycle by cycle, relative to their mean.
    let rows: [JointRow]
    /// The mean cycle.
    let mean: [JointRow]
    /// The sum of squares of all movement.
    let total: Float
    /// The share of the movement that the mean cycle explains; negative where cycles have less in common than by
    /// chance.
    let likeness: Float

    /// Compares cycles; with `mirroring`, every second one by its mirror image, as in a movement that alternates sides.
    init(_ cycles: [Cycle], in track: [JointRow], mirroring: Bool = false) {
        count = cycles.count
        var rows: [JointRow] = []
        rows.reserveCapacity(count * Self.phases)
        var middle = JointRow()
        for cycle in cycles {
            let step = Float(cycle.end - cycle.start) / Float(Self.phases)
            for phase in 0..<Self.phases {
                let place = Float(cycle.start) + step * Float(phase)
                let row = min(Int(place), track.count - 1)
                let next = min(row + 1, track.count - 1)
                let between = track[row] + (track[next] - track[row]) * (place - Float(row))
                middle += between
                rows.append(between)
            }
        }
        middle = middle * (1 / Float(rows.count))
        if mirroring {
            let (mean, turned) = (middle, middle.mirror)
            middle = JointRow()
            for index in rows.indices {
                if index / Self.phases % 2 == 1 { rows[index] = mean + (rows[index] - mean).exchanged(turned: turned) }
                middle += rows[index] * (1 / Float(rows.count))
            }
        }
        var total: Float = 1e-12
        for index in rows.indices {
            rows[index] = rows[index] - middle
            total += rows[index].squared
        }
        (self.rows, self.total, posture) = (rows, total, middle)
        mean = Self.mean(rows, from: 0, by: 1)
        let many = Float(count)
        likeness = count > 1 ? 1 - (total - many * Self.squared(mean)) * many / (many - 1) / total : 0
    }

    /// The same with separate means for odd and even cycles, such as left and right.
    var likenessInPairs: Float {
        guard count >= 4 else { return likeness }
        let explained =
            Float((count + 1) / 2) * Self.squared(Self.mean(rows, from: 0, by: 2))
            + Float(count / 2) * Self.squared(Self.mean(rows, from: 1, by: 2))
        return max(likeness, 1 - (total - explained) * Float(count) / Float(count - 2) / total)
    }

    /// How similar a cycle's second half is to its first; near 1 where each cycle holds two repetitions.
    var halves: Float {
        var sum: Float = 0
        for first in stride(from: 0, to: rows.count, by: Self.phases) {
            for phase in 0..<Self.phases / 2 {
                sum += 2 * rows[first + phase].dot(rows[first + phase + Self.phases / 2])
            }
        }
        return sum / total
    }

    /// How closely the mean cycle's second half mirrors its first; near 1 where each cycle holds both sides.
    var mirroredHalves: Float {
        let all = mean.reduce(Float(1e-12)) { $0 + $1.squared }
        let turned = posture.mirror
        var sum: Float = 0
        for phase in 0..<Self.phases / 2 {
            sum += 2 * mean[phase].dot(mean[phase + Self.phases / 2].exchanged(turned: turned))
        }
        return sum / all
    }

    /// The root mean square deviation of the joints from each cycle's own mean.
    var amplitude: Float {
        var spread = total
        for first in stride(from: 0, to: rows.count, by: Self.phases) {
            spread -= Float(Self.phases) * JointRow.mean(rows[first..<first + Self.phases]).squared
        }
        return (max(0, spread) / Float(rows.count)).squareRoot()
    }

    /// The logarithm of each cycle's squared distance from the median cycle, relative to the movement of the latter.
    var unlikeness: [Float] {
        guard count > 1 else { return [Float](repeating: 0, count: count) }
        let middle = middle
        let own = JointRow.mean(middle)
        let spread = max(1e-12, middle.reduce(0) { $0 + ($1 - own).squared })
        return (0..<count).map { cycle in
            var away: Float = 0
            for phase in 0..<Self.phases { away += (rows[cycle * Self.phases + phase] - middle[phase]).squared }
            return log(away / spread + 0.02)
        }
    }

    /// For each cycle the logarithms of how far its end is from its beginning, how far its way back is from its way
    /// out, and how much longer the joints' path is than straight to the farthest point and back.
    var ways: [(closure: Float, retrace: Float, detour: Float)] {
        (0..<count).map { cycle in
            let rows = rows[cycle * Self.phases..<(cycle + 1) * Self.phases]
            let (first, last) = (rows.startIndex, rows.endIndex - 1)
            let own = JointRow.mean(rows)
            var (spread, far, path, apart): (Float, Float, Float, Float) = (1e-12, 0, 0, 0)
            for index in rows.indices {
                spread += (rows[index] - own).squared
                far = max(far, (rows[index] - rows[first]).squared)
                if index > first { path += (rows[index] - rows[index - 1]).squared.squareRoot() }
                if index - first < Self.phases / 2 { apart += (rows[index] - rows[last - (index - first)]).squared }
            }
            let closure = (rows[last] - rows[first]).squared / max(far, 1e-12)
            return (
                log(closure + 0.01), log(apart / spread + 0.02),
                log(max(1, path / (2 * far.squareRoot() + 1e-9)))
            )
        }
    }

    /// The median cycle, lane by lane; for a long set a sample of cycles is enough.
    private var middle: [JointRow] {
        guard count > 2 else { return mean }
        let some = Array(stride(from: 0, to: count, by: max(1, count / 9)))
        var values = [JointRow](repeating: JointRow(), count: some.count)
        return (0..<Self.phases).map { phase in
            for (index, cycle) in some.enumerated() { values[index] = rows[cycle * Self.phases + phase] }
            // Bubble sort handles all lanes at once and is fastest for this few values.
            for last in stride(from: values.count - 1, to: values.count / 2 - 1, by: -1) {
                for index in 0..<last {
                    (values[index], values[index + 1]) = JointRow.ordered(values[index], values[index + 1])
                }
            }
            return values[values.count / 2]
        }
    }

    private static func mean(_ rows: [JointRow], from first: Int, by step: Int) -> [JointRow] {
        let cycles = stride(from: first, to: rows.count / phases, by: step)
        var mean = [JointRow](repeating: JointRow(), count: phases)
        var count = 0
        for cycle in cycles {
            for phase in 0..<phases { mean[phase] += rows[cycle * phases + phase] }
            count += 1
        }
        return mean.map { $0 * (1 / Float(max(1, count))) }
    }

    private static func squared(_ rows: [JointRow]) -> Float { rows.reduce(0) { $0 + $1.squared } }
}

/// How the sides of the body move relative to each other in a mean cycle: this distinguishes walking from exercise.
struct LimbMotion {
    /// The logarithm of how much the legs move apart over how much they move together, and likewise the arms; 0 at
    /// rest.
    let legsApart: Float, armsApart: Float
    /// The legs' share of all movement.
    let legShare: Float
    /// The logarithm of the trunk's movement in the picture over the joints' movement relative to it.
    let trunk: Float

    /// Less movement than this share of the total counts as none.
    private static let least: Float = 0.02

    init(_ centred: CycleShapes, _ placed: CycleShapes) {
        func movement(_ pairs: [(Int, Int)]) -> (apart: Float, together: Float) {
            var (apart, together): (Float, Float) = (0, 0)
            for row in centred.mean {
                for (left, right) in pairs {
                    let (difference, sum) = (row.point(left) - row.point(right), row.point(left) + row.point(right))
                    apart += (difference * difference).sum() / 2
                    together += (sum * sum).sum() / 2
                }
            }
            return (apart, together)
        }
        let legs = movement([BodyJoints.knees, BodyJoints.ankles])
        let arms = movement([BodyJoints.elbows, BodyJoints.wrists])
        let all = max(1e-12, centred.mean.reduce(0) { $0 + $1.squared })
        let least = Self.least * all
        legsApart = log((legs.apart + least) / (legs.together + least))
        armsApart = log((arms.apart + least) / (arms.together + least))
        legShare = (legs.apart + legs.together) / all
        var moved: Float = 0
        for (there, here) in zip(placed.mean, centred.mean) {
            let away = there.point(BodyJoints.hips.0) - here.point(BodyJoints.hips.0)
            moved += (away * away).sum() * Float(JointRow.joints)
        }
        trunk = log((moved + least) / (all + least))
    }
}
