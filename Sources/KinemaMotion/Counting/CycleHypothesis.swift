import Foundation

/// One way out and back along a signal.
struct Cycle: Sendable {
    /// The rows of the turning points: where it lies at one end, turns at the other, and lies again at the one.
    var from: Int, turn: Int, to: Int
    /// The rows where it leaves the one end, and where it is back: without the rest there.
    var start: Int, end: Int
    /// How far out and how far back it goes, picture heights.
    var out: Float, back: Float

    /// The shorter of both ways.
    var amplitude: Float { min(out, back) }
    /// How long it moves, rows.
    var length: Float { Float(max(1, end - start)) }

    /// The cycle between turning points; a tenth of the way counts as rest.
    init(_ values: [Float], from: Int, turn: Int, to: Int) {
        (self.from, self.turn, self.to) = (from, turn, to)
        (out, back) = (abs(values[turn] - values[from]), abs(values[turn] - values[to]))
        (start, end) = (turn, turn)
        while start > from, abs(values[start] - values[from]) > 0.1 * out { start -= 1 }
        while end < to, abs(values[end] - values[to]) > 0.1 * back { end += 1 }
    }
}

/// A stretch of time with its cycles: one way to count what was done there.
struct CycleHypothesis: Sendable {
    /// The signal's place among the finder's.
    let signal: Int
    /// The way back that makes a turning point, as a share of the signal's range.
    let hysteresis: Float
    let cycles: [Cycle]
    /// What is known of the whole, in the order of `CycleEvidence.whole`.
    var whole: [Float]
    /// What is known of each cycle, in the order of `CycleEvidence.each`.
    var each: [[Float]]
    /// How sure it is that each cycle is a repetition, 0...1.
    var probabilities: [Float] = []
}

/// How the cycles of a run are alike, in all joints at once.
struct CycleShapes {
    /// How many moments of a cycle are compared.
    static let phases = 16

    let shapes: [[JointRow]]
    let mean: JointRow
    /// All movement around the mean.
    let total: Float
    /// The share of the movement that the mean cycle explains; below 0 where cycles have less in common than chance gives.
    let likeness: Float

    init(_ cycles: [Cycle], in rows: [JointRow]) {
        shapes = cycles.map { cycle in
            let step = Float(cycle.end - cycle.start) / Float(Self.phases)
            return (0..<Self.phases).map { phase in
                let place = Float(cycle.start) + step * Float(phase)
                let row = min(Int(place), rows.count - 1)
                let next = min(row + 1, rows.count - 1)
                return rows[row] + (rows[next] - rows[row]) * (place - Float(row))
            }
        }
        let mean = JointRow.mean(shapes.map { JointRow.mean($0) })
        self.mean = mean
        total = max(1e-12, shapes.reduce(0) { $0 + $1.reduce(0) { $0 + ($1 - mean).squared } })
        let count = Float(shapes.count)
        likeness = count > 1 ? 1 - Self.residual(shapes) * count / (count - 1) / total : 0
    }

    /// The same where every second cycle may be another one, as left and right are.
    var likenessInPairs: Float {
        guard shapes.count >= 4 else { return likeness }
        let (even, odd) = (
            stride(from: 0, to: shapes.count, by: 2).map { shapes[$0] },
            stride(from: 1, to: shapes.count, by: 2).map { shapes[$0] }
        )
        let count = Float(shapes.count)
        return max(likeness, 1 - (Self.residual(even) + Self.residual(odd)) * count / (count - 2) / total)
    }

    /// How much a cycle's second half is like its first; near 1 where cycles hold two repetitions each.
    var halves: Float {
        var sum: Float = 0
        for shape in shapes {
            for phase in 0..<Self.phases {
                sum += (shape[phase] - mean).dot(shape[(phase + Self.phases / 2) % Self.phases] - mean)
            }
        }
        return sum / total
    }

    /// The root mean square way of the joints around each cycle's own mean.
    var amplitude: Float {
        let spread = shapes.reduce(Float(0)) { sum, shape in
            let own = JointRow.mean(shape)
            return sum + shape.reduce(0) { $0 + ($1 - own).squared }
        }
        return (spread / Float(shapes.count * Self.phases)).squareRoot()
    }

    /// How far each cycle is from the middle one, as a share of its movement, in logarithms.
    var unlikeness: [Float] {
        guard shapes.count > 1 else { return shapes.map { _ in 0 } }
        let middle = middle
        let own = JointRow.mean(middle)
        let spread = max(1e-12, middle.reduce(0) { $0 + ($1 - own).squared })
        return shapes.map { shape in
            let away = zip(shape, middle).reduce(Float(0)) { $0 + ($1.0 - $1.1).squared }
            return log(away / spread + 0.02)
        }
    }

    /// The middle cycle, lane by lane; of a long set some thirty cycles tell it as well as all.
    private var middle: [JointRow] {
        guard shapes.count > 2 else {
            return (0..<Self.phases).map { phase in JointRow.mean(shapes.map { $0[phase] }) }
        }
        let some = stride(from: 0, to: shapes.count, by: max(1, shapes.count / 32)).map { shapes[$0] }
        var values = [Float](repeating: 0, count: some.count)
        return (0..<Self.phases).map { phase in
            var row = JointRow()
            for lane in 0..<JointRow.lanes {
                for (index, shape) in some.enumerated() { values[index] = shape[phase][lane] }
                values.sort()
                row[lane] = values[values.count / 2]
            }
            return row
        }
    }

    private static func residual(_ shapes: [[JointRow]]) -> Float {
        (0..<phases).reduce(Float(0)) { sum, phase in
            let mean = JointRow.mean(shapes.map { $0[phase] })
            return sum + shapes.reduce(0) { $0 + ($1[phase] - mean).squared }
        }
    }
}
