public import Foundation

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
        return (track.time(between: start), track.time(between: end))
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

    /// The median length of its cycles, rows.
    var length: Float { median(cycles.map(\.length)) }
}

/// How the sides of the body move relative to each other in a mean cycle: this distinguishes walking from exercise.
struct LimbMotion {
    /// The logarithm of how much the legs move apart over how much they move together, and likewise the arms; 0 at
    /// rest.
    let legsApart: Float, armsApart: Float
    /// The legs' and the arms' shares of all movement.
    let legShare: Float, armShare: Float
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
        (legShare, armShare) = ((legs.apart + legs.together) / all, (arms.apart + arms.together) / all)
        var moved: Float = 0
        for (there, here) in zip(placed.mean, centred.mean) {
            let away = there.point(BodyJoints.hips.0) - here.point(BodyJoints.hips.0)
            moved += (away * away).sum() * Float(JointRow.joints)
        }
        trunk = log((moved + least) / (all + least))
    }
}

/// One repetition: the movement from one posture to another and back.
public struct Repetition: Hashable, Sendable, Codable {
    /// When the movement left the starting posture and when it returned to it, seconds.
    public var start, end: TimeInterval
    /// The probability that this was a repetition of an exercise, 0...1.
    public var confidence: Float

    /// Makes a repetition from its beginning and end in seconds and its confidence (0...1).
    package init(start: TimeInterval, end: TimeInterval, confidence: Float) {
        (self.start, self.end, self.confidence) = (start, end, confidence)
    }

    /// How long it took, seconds.
    public var duration: TimeInterval { end - start }

    /// The share of it that lies in others, 0...1.
    func share(in others: some Sequence<Repetition>) -> Double {
        others.reduce(0) { $0 + max(0, min(end, $1.end) - max(start, $1.start)) } / max(duration, 1e-3)
    }

    /// The intersection over union in time, 0...1.
    func overlap(with other: Repetition) -> Double {
        max(0, min(end, other.end) - max(start, other.start)) / max(1e-3, max(end, other.end) - min(start, other.start))
    }
}

/// A repetition that was counted, and what found it: a line of `kinema count --explain`.
public struct FoundRepetition: Encodable, Sendable, Hashable {
    /// What found it.
    public enum Origin: String, Encodable, Sendable {
        /// The last seconds, while the movement went on.
        case live
        /// The whole recording, once it had ended.
        case whole
    }

    /// The repetition.
    public var repetition: Repetition
    /// What found it.
    public var origin: Origin

    private enum CodingKeys: String, CodingKey {
        case start, end, confidence
        case origin = "found"
    }

    /// Writes `start`, `end`, `confidence` and `found`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(CycleExplanation.rounded(repetition.start), forKey: .start)
        try values.encode(CycleExplanation.rounded(repetition.end), forKey: .end)
        try values.encode(CycleExplanation.rounded(Double(repetition.confidence)), forKey: .confidence)
        try values.encode(origin, forKey: .origin)
    }
}
