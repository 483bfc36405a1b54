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
    /// tenth and a quarter of the way are passed. An unfinished way back is expected to take as long as the other
    /// cycles' of its run usually do, rows, if there are any.
    func times(
        _ values: [Float], _ track: MovementTrack, usualReturn: Float? = nil
    ) -> (start: TimeInterval, end: TimeInterval) {
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
            ? usualReturn.map { max(Double(to), Double(turn) + Double($0)) }
                ?? expectedEnd(passed(0.75, to: 1, way: out, until: to), values)
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
