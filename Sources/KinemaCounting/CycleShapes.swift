import Foundation

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

    /// How much each joint moves along x and y around each cycle's mean, summed over all cycles.
    var movesOfJoints: [SIMD2<Float>] {
        var moves = [SIMD2<Float>](repeating: .zero, count: JointRow.joints)
        for first in stride(from: 0, to: rows.count, by: Self.phases) {
            let own = JointRow.mean(rows[first..<first + Self.phases])
            for index in first..<first + Self.phases {
                let away = rows[index] - own
                for joint in moves.indices { moves[joint] += away.point(joint) * away.point(joint) }
            }
        }
        return moves
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
