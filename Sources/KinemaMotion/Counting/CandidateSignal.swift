/// A body's position along one direction of its movement, row by row.
struct CandidateSignal: Sendable {
    /// How the joints' places are measured.
    enum Frame: String, Sendable, CaseIterable { case placed, centred }

    let frame: Frame
    /// Which of the window's principal components it is, from 0.
    let component: Int
    /// The rows from which the direction was computed.
    let window: Range<Int>
    /// The share of the window's movement that lies along the direction.
    let share: Float
    /// The direction, and the position along it that counts as 0.
    let direction: JointRow, offset: Float
    let values: [Float]
    /// The span between the 5th and 95th percentiles of the values within the window, picture heights.
    let range: Float
}

/// The directions that hold most of the movement in some rows.
struct PrincipalComponents {
    let mean: JointRow
    private(set) var directions: [(direction: JointRow, share: Float)] = []

    /// Finds directions by power iteration on the covariance, deflated by each one found.
    init(_ rows: ArraySlice<JointRow>, components: Int) {
        mean = JointRow.mean(rows)
        var covariance = [JointRow](repeating: JointRow(), count: JointRow.lanes)
        for row in rows {
            let away = row - mean
            for lane in 0..<JointRow.lanes { covariance[lane] += away * away[lane] }
        }
        let total = (0..<JointRow.lanes).reduce(Float(0)) { $0 + covariance[$1][$1] }
        guard total > 0 else { return }
        for _ in 0..<components {
            guard let (direction, length) = Self.strongest(covariance) else { return }
            directions.append((direction, length / total))
            for lane in 0..<JointRow.lanes {
                covariance[lane] = covariance[lane] - direction * (length * direction[lane])
            }
        }
    }

    private static func strongest(_ covariance: [JointRow]) -> (JointRow, Float)? {
        // The row with the largest diagonal entry is orthogonal to the eigenvector only by chance.
        let best = (0..<JointRow.lanes).max { covariance[$0][$0] < covariance[$1][$1] } ?? 0
        var direction = covariance[best]
        var length: Float = 0
        for _ in 0...30 {
            let norm = direction.squared.squareRoot()
            guard norm > 0, norm.isFinite else { return nil }
            direction = direction * (1 / norm)
            var next = JointRow()
            for lane in 0..<JointRow.lanes { next[lane] = covariance[lane].dot(direction) }
            length = next.dot(direction)
            direction = next
        }
        let norm = direction.squared.squareRoot()
        guard norm > 0, norm.isFinite else { return nil }
        return (direction * (1 / norm), length)
    }
}

/// Where a signal turns: alternating highs and lows, each but the last followed by a return of more than the
/// hysteresis.
struct TurningPoints {
    private(set) var rows: [Int] = []

    init(_ values: [Float], hysteresis: Float) {
        guard var high = values.first else { return }
        var (low, highRow, lowRow, direction) = (high, 0, 0, 0)
        for (row, value) in values.enumerated() {
            if direction >= 0 {
                if value > high { (high, highRow) = (value, row) }
                if high - value > hysteresis {
                    rows.append(highRow)
                    (direction, low, lowRow) = (-1, value, row)
                    continue
                }
            }
            if direction <= 0 {
                if value < low { (low, lowRow) = (value, row) }
                if value - low > hysteresis {
                    rows.append(lowRow)
                    (direction, high, highRow) = (1, value, row)
                }
            }
        }
        if direction != 0 { rows.append(direction > 0 ? highRow : lowRow) }
    }
}
