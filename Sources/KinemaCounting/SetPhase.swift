import Foundation

/// A body's position along the signal of a set: 0 where repetitions begin, 1 where they turn.
struct SetPhase: Sendable {
    private let measure: MotionMeasure
    /// The body's size, picture heights.
    private let size: Float
    private let rest: Float, way: Float
    /// The number of repetitions that it was made from.
    let repetitions: Int
    private var stage = Stage.resting
    private var time: TimeInterval?
    private(set) var value: Float = 0
    /// Whether the newest pose passed a position on the way back at which the repetition may be detectable.
    private(set) var isComingBack = false

    /// Whether the chart of the set began at its other end.
    private var isTurned = false

    private enum Stage { case resting, out, back }

    /// Makes the position of a body along the signal of a hypothesis; nil if no body alone tells it.
    init?(_ hypothesis: CycleHypothesis, _ cycles: [Int], _ finder: HypothesisFinder, of body: SeenBody) {
        let signal = finder.signals[hypothesis.signal]
        guard let measure = signal.measure else { return nil }
        (self.measure, size, repetitions) = (measure, finder.track.size, cycles.count)
        let run = cycles.map { hypothesis.cycles[$0] }
        rest = median(run.map { (signal.values[$0.from] + signal.values[$0.to]) / 2 })
        let far = median(run.map { signal.values[$0.turn] }) - rest
        way = abs(far) < 1e-6 ? 1e-6 : far
        value = place(of: body)
    }

    /// Continues the same set from an earlier reading: keeps its stage and the direction in which the position rises,
    /// whichever end the set is now found to begin at.
    mutating func goOn(from other: SetPhase, over bodies: ArraySlice<SeenBody>) {
        (stage, time) = (other.stage, other.time)
        let agreement = bodies.reduce(Float(0)) { $0 + (place(of: $1) - 0.5) * (other.place(of: $1) - 0.5) }
        isTurned = (agreement < 0) != other.isTurned
    }

    /// Orients the position to be 0 where the body was before the set.
    mutating func begin(at bodies: [SeenBody]) {
        isTurned = bodies.reduce(0) { $0 + place(of: $1) - 0.5 } > 0
    }

    /// The position for a chart: 0 at one end of a repetition and 1 at the other, the same ends throughout the set.
    var position: Float { isTurned ? 1 - value : value }

    private func place(of body: SeenBody) -> Float {
        let row = body.row * (1 / size)
        return (measure.value(row, centred: row.centred) - rest) / way
    }

    mutating func take(_ body: SeenBody, _ configuration: CountingConfiguration) {
        let share = time.map { Float(min(1, max(0, body.time - $0) / configuration.phaseSmoothing)) } ?? 1
        time = body.time
        value += (place(of: body) - value) * share
        isComingBack = false
        if value > configuration.farPhase {
            stage = .out
        } else if stage == .out, value < configuration.lookPhases.first {
            (stage, isComingBack) = (.back, true)
        } else if stage == .back, value < configuration.lookPhases.second {
            (stage, isComingBack) = (.resting, true)
        }
    }

    /// How far the repetition under way has come, 0 at its start and 1 at its end.
    var progress: Float {
        let half = max(0, min(1, value)) / 2
        return stage == .back ? 1 - half : half
    }
}

/// A curve that crosses over from one measure of a movement to another without a step.
struct MovementCurve: Sendable {
    private(set) var value: Float?
    private var offset: Float = 0, time: TimeInterval = 0
    /// The time constant of the crossover, seconds.
    private static let goingOver = 0.5

    /// Adds the next position.
    mutating func take(_ place: Float, at time: TimeInterval) {
        offset *= Float(exp((self.time - time) / Self.goingOver))
        (value, self.time) = (place + offset, time)
    }

    /// Switches to another measure, which gives `new` where the one before gave `old`.
    mutating func goOver(from old: Float, to new: Float) { offset += old - new }
}

/// A body's distance from its last resting posture.
struct RestDistance: Sendable {
    private var rest: JointRow?
    /// The posture and time at which the current stillness began.
    private var still: (row: JointRow, time: TimeInterval)?
    private var size: Float = 0
    /// Whether it now rests in another posture than before.
    private(set) var isElsewhere = false

    /// A body is still while within this distance of a posture, body sizes (twice the landmark jitter), and rests after
    /// this time, seconds.
    private static let stillness: (distance: Float, time: TimeInterval) = (0.08, 0.7)

    /// Adds the next pose and returns the distance: the root mean square over the joints, body sizes.
    mutating func take(_ joints: BodyJoints, at time: TimeInterval) -> Float {
        let row = JointRow(joints.points).centred
        isElsewhere = false
        size = max(size, (row.squared / Float(JointRow.joints)).squareRoot())
        if let still, distance(row, still.row) < Self.stillness.distance {
            if time - still.time > Self.stillness.time {
                isElsewhere = rest.map { distance(row, $0) > Self.stillness.distance } ?? false
                rest = row
            }
        } else {
            still = (row, time)
        }
        defer { rest = rest ?? row }
        return distance(row, rest ?? row)
    }

    private func distance(_ row: JointRow, _ other: JointRow) -> Float {
        ((row - other).squared / Float(JointRow.joints)).squareRoot() / max(size, 1e-4)
    }
}
