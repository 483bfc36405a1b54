import Foundation
import KinemaCore

/// Makes every hypothesis about a stretch of movement: many simple signals, each cut into cycles at several hystereses
/// and from either end. Of those with the same cycles one stays, and of all those that most signals show.
struct HypothesisFinder: Sendable {
    let track: MovementTrack
    /// What the network says of the stretch.
    let network: NetworkReading
    /// The rows at which the body jumps.
    let jumps: [Int]
    private(set) var signals: [CandidateSignal] = []
    private(set) var hypotheses: [CycleHypothesis] = []
    /// The smoothed joints in the picture and relative to the trunk.
    private let placed: [JointRow], centred: [JointRow]
    /// How far the body had moved in total by each row.
    private let path: [Float]
    /// How often each signal had turned before each row at the middle hysteresis, times a half: its vote on the others.
    private var votes: [(window: Range<Int>, cycles: [Float])] = []
    private let configuration: CountingConfiguration

    /// A run of alike cycles of a signal, and which signals show the same ones.
    private struct Candidate: Sendable {
        var signal: Int, hysteresis: Float, cycles: [Cycle]
        var copies = 1
        var families: Set<CandidateSignal.Family>
    }
    /// Runs with as many cycles, whose first, middle and last turn lie in the same fifth of a second, are the same.
    private struct Likeness: Hashable { let count: Int, first: Int, middle: Int, last: Int }
    private var candidates: [Likeness: Candidate] = [:]

    /// Makes the hypotheses about a whole stretch.
    init(_ track: MovementTrack, _ configuration: CountingConfiguration, network: NetworkReading) {
        (self.track, self.configuration, self.network) = (track, configuration, network)
        // Slowed, nothing falls as bodies do, and what is over in half a second has no dip and landing.
        jumps = track.isStretched || track.slowing > 1 ? [] : track.jumps
        let bell = SmoothingBell(configuration.jointSmoothing)
        (placed, centred) = (bell.smoothed(track.placed), bell.smoothed(track.centred))
        var sum: Float = 0
        let steady = SmoothingBell(configuration.signalSmoothing).smoothed(track.centred)
        path = steady.indices.map { index in
            if index > 0 { sum += (steady[index] - steady[index - 1]).absolute }
            return sum
        }
        addComponents()
        addMeasures()
        addNetwork()
        judgeCandidates()
    }

    /// Gives every cycle its probability.
    mutating func judge(by weights: CountingWeights) {
        for (index, probabilities) in weights.probabilities(hypotheses).enumerated() {
            hypotheses[index].probabilities = probabilities
        }
    }

    // MARK: Signals

    /// All rows, then windows that overlap by half, then the latest rows.
    private var windows: [(rows: Range<Int>, components: Int)] {
        var windows = [(0..<track.count, configuration.components)]
        for span in configuration.windows {
            let rows = Int(span / track.interval)
            guard rows > 1, Double(rows) < configuration.mostOfWhole * Double(track.count) else { continue }
            for start in stride(from: 0, to: track.count - rows / 2, by: rows / 2) {
                windows.append((start..<min(start + rows, track.count), span > configuration.shortWindow ? 2 : 1))
            }
        }
        if let latest = configuration.latest, case let rows = Int(latest / track.interval), rows < track.count * 4 / 5 {
            windows.append((track.count - rows..<track.count, 2))
        }
        return windows
    }

    private mutating func addComponents() {
        let bell = SmoothingBell(configuration.signalSmoothing)
        for (window, components) in windows {
            for (family, rows) in [(CandidateSignal.Family.placed, placed), (.centred, centred)] {
                let principal = PrincipalComponents(rows[window], components: components)
                for (component, (direction, _)) in principal.directions.enumerated() {
                    let measure = MotionMeasure.linear(
                        direction, offset: principal.mean.dot(direction), isCentred: family == .centred)
                    var values = zip(placed, centred).map { measure.value($0, centred: $1) }
                    if Double(window.count) * track.interval > configuration.shortWindow {
                        values = bell.smoothed(values)
                    }
                    add(family, component, measure, window, values)
                }
            }
        }
    }

    private mutating func addMeasures() {
        let bell = SmoothingBell(configuration.signalSmoothing)
        let (steady, whole) = (bell.smoothed(placed), 0..<track.count)
        let steadyCentred = steady.map(\.centred)
        var numbers: [CandidateSignal.Family: Int] = [:]
        func next(_ family: CandidateSignal.Family) -> Int {
            defer { numbers[family, default: 0] += 1 }
            return numbers[family, default: 0]
        }
        for (family, measure) in MotionMeasure.all + postures.map({ (.distance, $0) }) {
            let values = zip(steady, steadyCentred).map { measure.value($0, centred: $1) }
            add(family, next(family), measure, whole, values)
        }
    }

    /// The first posture, and the two that lie farthest apart along the main component.
    private var postures: [MotionMeasure] {
        let main = signals.first { $0.family == .centred && $0.window.count == track.count } ?? signals.first
        guard let values = main?.values else { return [] }
        let order = values.indices.sorted { values[$0] < values[$1] }
        let some = max(2, track.count / 30), edge = track.count / 20
        let first = Array(0..<min(track.count, max(2, Int(0.4 / track.interval))))
        let low = Array(order[min(edge, order.count - 1)..<min(edge + some, order.count)])
        let high = Array(order[max(0, order.count - edge - some)..<max(1, order.count - edge)])
        return [first, low, high].map { rows in
            var middle = JointRow()
            for lane in 0..<JointRow.lanes { middle[lane] = median(rows.map { centred[$0][lane] }) }
            return .posture(middle)
        }
    }

    /// Whether a hypothesis has a cycle for each jump.
    func isOfJumps(_ hypothesis: Int) -> Bool {
        let cycles = hypotheses[hypothesis].cycles
        return cycles.count == jumps.count && zip(cycles, jumps).allSatisfy { ($0.from...$0.to).contains($1) }
    }

    /// The network's own repetitions, and the jumps: a wave with a period each.
    private mutating func addNetwork() {
        let values = (0..<track.count).map { (1 - cos(2 * Float.pi * network.count(until: $0))) / 2 }
        add(.network, 0, nil, 0..<track.count, values)
        guard !jumps.isEmpty else { return }
        add(.network, 1, nil, 0..<track.count, track.wave(at: jumps, within: configuration.longestJump))
    }

    private mutating func add(
        _ family: CandidateSignal.Family, _ component: Int, _ measure: MotionMeasure?, _ window: Range<Int>,
        _ values: [Float]
    ) {
        let sorted = values[window].sorted()
        let range = sorted[(sorted.count - 1) * 95 / 100] - sorted[(sorted.count - 1) * 5 / 100]
        guard range >= (family == .angle ? configuration.leastAngle : configuration.leastRange) else { return }
        signals.append(
            CandidateSignal(
                family: family, component: component, measure: measure, window: window,
                share: share(of: values, in: window), values: values, range: range))
        var known: [Int] = []
        for hysteresis in configuration.hystereses {
            let points = TurningPoints(values, hysteresis: hysteresis * range).rows
            if hysteresis == configuration.votingHysteresis { addVote(points, window) }
            // Equal cuts at two hystereses are one hypothesis.
            guard points.count >= 3, points != known else { continue }
            known = points
            for first in 0...1 {
                let cycles = stride(from: first, to: points.count - 2, by: 2).map {
                    Cycle(values, from: points[$0], turn: points[$0 + 1], to: points[$0 + 2])
                }
                addRuns(of: cycles, hysteresis)
            }
        }
    }

    /// The share of a window's movement that varies with a signal.
    private func share(of values: [Float], in window: Range<Int>) -> Float {
        let rows = centred[window]
        let (mean, middle) = (JointRow.mean(rows), values[window].reduce(0, +) / Float(window.count))
        var (along, all, own) = (JointRow(), Float(1e-9), Float(1e-9))
        for (row, value) in zip(rows, values[window]) {
            let away = row - mean
            along += away * (value - middle)
            all += away.squared
            own += (value - middle) * (value - middle)
        }
        return along.squared / own / all
    }

    private mutating func addVote(_ points: [Int], _ window: Range<Int>) {
        var cycles = [Float](repeating: 0, count: track.count + 1)
        for point in points { cycles[point + 1] += 0.5 }
        for row in 0..<track.count { cycles[row + 1] += cycles[row] }
        votes.append((window, cycles))
    }

    // MARK: Runs

    /// Splits cycles into runs at long pauses and at cycles much unlike the others in size or length.
    private mutating func addRuns(of cycles: [Cycle], _ hysteresis: Float) {
        guard !cycles.isEmpty, let signal = signals.last else { return }
        let within = cycles.filter { $0.start >= signal.window.lowerBound - 1 && $0.end <= signal.window.upperBound }
        let typical = within.isEmpty ? cycles : within
        let (amplitude, length) = (median(typical.map(\.amplitude)), median(typical.map(\.length)))
        let longestPause = max(configuration.mostLength * length, Float(configuration.longestPause / track.interval))
        var run: [Cycle] = []
        for cycle in cycles {
            let isAlike =
                cycle.amplitude > configuration.leastAmplitude * amplitude
                && cycle.amplitude < configuration.mostAmplitude * amplitude
                && cycle.length < configuration.mostLength * length
            let isLate = run.last.map { Float(cycle.start - $0.end) > longestPause } ?? false
            if !isAlike || isLate { close(&run, signal, hysteresis) }
            if isAlike { run.append(cycle) }
        }
        close(&run, signal, hysteresis)
    }

    /// Keeps a run that reaches into the signal's window.
    private mutating func close(_ run: inout [Cycle], _ signal: CandidateSignal, _ hysteresis: Float) {
        defer { run = [] }
        guard let first = run.first, let last = run.last, last.end > signal.window.lowerBound,
            Double(track.count - last.to) * track.interval < configuration.patience,
            first.start < signal.window.upperBound - 1
        else { return }
        let fifth = Int(0.2 / track.interval)
        let key = Likeness(
            count: run.count, first: first.turn / fifth, middle: run[run.count / 2].turn / fifth,
            last: last.turn / fifth)
        let number = signals.count - 1
        guard var known = candidates[key] else {
            candidates[key] = Candidate(
                signal: number, hysteresis: hysteresis, cycles: run, families: [signal.family])
            return
        }
        known.copies += 1
        known.families.insert(signal.family)
        if signal.share > signals[known.signal].share {
            (known.signal, known.hysteresis, known.cycles) = (number, hysteresis, run)
        }
        candidates[key] = known
    }

    /// Makes hypotheses of the candidates that most signals show.
    private mutating func judgeCandidates() {
        func weight(_ one: Candidate) -> Float {
            Float(one.copies + one.families.count) + 2 * signals[one.signal].share
        }
        let best = candidates.values.sorted { one, other in
            let (a, b) = (weight(one), weight(other))
            // A stable order, whatever that of the dictionary.
            return a != b
                ? a > b
                : (one.signal, one.cycles.first?.from ?? 0, one.cycles.count) < (
                    other.signal, other.cycles.first?.from ?? 0, other.cycles.count
                )
        }.prefix(configuration.mostHypotheses)
        candidates = [:]
        let context = CycleEvidence.Context(
            track: track, placed: placed, centred: centred, path: path, network: network)
        for one in best {
            let evidence = CycleEvidence(
                one.cycles, signals[one.signal], one.hysteresis, context, copies: one.copies,
                families: one.families.count)
            var (whole, each) = evidence.values
            addAgreement(one.cycles, &whole, &each)
            hypotheses.append(
                CycleHypothesis(
                    signal: one.signal, hysteresis: one.hysteresis, cycles: one.cycles, whole: whole, each: each))
        }
    }

    /// How far the body moves from the beginning until a time, body sizes.
    func path(until time: TimeInterval) -> Float {
        path[track.row(at: time)]
    }

    /// Measures how many of the signals that saw a run turn as often.
    private func addAgreement(_ cycles: [Cycle], _ whole: inout [Float], _ each: inout [[Float]]) {
        guard let first = cycles.first?.start, let last = cycles.last?.end else { return }
        let voters = votes.filter { vote in
            let shared = min(vote.window.upperBound, last) - max(vote.window.lowerBound, first)
            return 2 * shared > min(vote.window.count, last - first)
        }
        guard !voters.isEmpty else { return }
        let (count, number) = (Float(cycles.count), Float(voters.count))
        var (agreeing, more, fewer, density): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for voter in voters {
            let found = voter.cycles[last + 1] - voter.cycles[first]
            if abs(found - 0.25 - count) <= max(0.8, 0.12 * count) { agreeing += 1 }
            let ratio = log(min(10, max(0.1, found / count)))
            // Half as often again, or less than two thirds as often.
            if ratio > 0.45 { more += 1 }
            if ratio < -0.45 { fewer += 1 }
            density += ratio
        }
        for (name, value) in [("agreement", agreeing), ("more", more), ("fewer", fewer), ("density", density)] {
            whole[CycleEvidence.place(of: name)] = value / number
        }
        let place = CycleEvidence.place(ofEach: "cycleDensity")
        for (index, cycle) in cycles.enumerated() {
            let found = voters.reduce(Float(0)) { $0 + $1.cycles[cycle.end + 1] - $1.cycles[cycle.start] } / number
            each[index][place] = min(3, found)
            each[index][place + 1] = abs(log(min(5, max(0.1, found))))
        }
    }
}
