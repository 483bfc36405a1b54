import Foundation

/// Where a body is along the signal of a set: 0 where repetitions begin, 1 where they turn.
struct SetPhase: Sendable {
    private let direction: JointRow
    private let frame: CandidateSignal.Frame
    private let rest: Float, way: Float
    private var stage = Stage.resting
    private var time: TimeInterval?
    private(set) var value: Float = 0
    /// Whether the newest pose passed a place on its way back at which the repetition may be known.
    private(set) var isComingBack = false

    private enum Stage { case resting, out, back }

    /// The signal of a hypothesis.
    init(_ hypothesis: CycleHypothesis, _ finder: HypothesisFinder) {
        let signal = finder.signals[hypothesis.signal]
        (direction, frame) = (signal.direction, signal.frame)
        rest = median(hypothesis.cycles.map { (signal.values[$0.from] + signal.values[$0.to]) / 2 }) + signal.offset
        let far = median(hypothesis.cycles.map { signal.values[$0.turn] }) + signal.offset - rest
        way = abs(far) < 1e-6 ? 1e-6 : far
        value = ((signal.values.last ?? 0) + signal.offset - rest) / way
    }

    /// The same set, as found anew: what was under way is.
    mutating func goOn(from other: SetPhase?) {
        guard let other else { return }
        (stage, time) = (other.stage, other.time)
    }

    mutating func take(_ body: SeenBody, _ configuration: CountingConfiguration) {
        let place = ((frame == .centred ? body.row.centred : body.row).dot(direction) - rest) / way
        let share = time.map { Float(min(1, max(0, body.time - $0) / configuration.phaseSmoothing)) } ?? 1
        time = body.time
        value += (place - value) * share
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

/// How far a body is from where it rested last.
struct RestDistance: Sendable {
    private var rest: JointRow?
    /// Where the body was when the present stillness began, and when.
    private var still: (row: JointRow, time: TimeInterval)?
    private var size: Float = 0

    /// A body that stays as near to a posture is still there, body sizes: twice the jitter of landmarks; and it rests after
    /// this time, seconds.
    private static let stillness: (distance: Float, time: TimeInterval) = (0.08, 0.7)

    /// Takes the next pose and returns the distance: the root mean square of the joints', body sizes.
    mutating func take(_ joints: BodyJoints, at time: TimeInterval) -> Float {
        let row = JointRow(joints.points).centred
        size = max(size, (row.squared / Float(JointRow.joints)).squareRoot())
        func distance(_ other: JointRow) -> Float {
            ((row - other).squared / Float(JointRow.joints)).squareRoot() / max(size, 1e-4)
        }
        if let still, distance(still.row) < Self.stillness.distance {
            if time - still.time > Self.stillness.time { rest = row }
        } else {
            still = (row, time)
        }
        defer { rest = rest ?? row }
        return distance(rest ?? row)
    }
}
