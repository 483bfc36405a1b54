import Foundation

/// Makes every hypothesis about a stretch of movement: many simple signals, each cut into cycles at several hystereses
/// and from either end.
struct HypothesisFinder {
    let track: MovementTrack
    private(set) var signals: [CandidateSignal] = []
    private(set) var hypotheses: [CycleHypothesis] = []
    private let rows: [CandidateSignal.Frame: [JointRow]]
    /// How far the body had moved in total by each row.
    private let path: [Float]
    /// How often each signal had turned before each row at the middle hysteresis: its vote on the others.
    private var turns: [[Int]] = []

    private let configuration: CountingConfiguration
    /// The hysteresis whose turning points vote on other signals.
    private var voting: Float { configuration.hystereses[configuration.hystereses.count / 2] }

    /// Makes the hypotheses about a whole stretch.
    init(_ track: MovementTrack, _ configuration: CountingConfiguration) {
        (self.track, self.configuration) = (track, configuration)
        let bell = SmoothingBell(configuration.jointSmoothing, interval: track.interval)
        rows = [.placed: bell.smoothed(track.placed), .centred: bell.smoothed(track.centred)]
        let steady = SmoothingBell(configuration.signalSmoothing, interval: track.interval).smoothed(track.centred)
        var sum: Float = 0
        path = steady.indices.map { index in
            if index > 0 { sum += (steady[index] - steady[index - 1]).absolute }
            return sum
        }
        for (window, isShort) in windows { addSignals(of: window, isShort: isShort) }
        weighAgreement()
        for (index, probabilities) in CycleScore.inUse.probabilities(hypotheses).enumerated() {
            hypotheses[index].probabilities = probabilities
        }
        weighSameCycles()
    }

    /// All rows, then windows that overlap by half, then the latest rows.
    private var windows: [(rows: Range<Int>, isShort: Bool)] {
        var windows = [(0..<track.count, false)]
        for (index, span) in configuration.windows.enumerated() {
            let rows = Int(span / track.interval)
            guard rows < track.count, rows > 1 else { continue }
            for start in stride(from: 0, to: track.count - rows / 2, by: rows / 2) {
                windows.append((start..<min(start + rows, track.count), index == 0))
            }
        }
        if let latest = configuration.latest, case let rows = Int(latest / track.interval), rows < track.count * 4 / 5 {
            windows.append((track.count - rows..<track.count, true))
        }
        return windows
    }

    private mutating func addSignals(of window: Range<Int>, isShort: Bool) {
        let bell = SmoothingBell(configuration.signalSmoothing, interval: track.interval)
        for frame in CandidateSignal.Frame.allCases {
            let rows = rows[frame] ?? []
            let principal = PrincipalComponents(rows[window], components: configuration.components)
            for (component, (direction, share)) in principal.directions.enumerated() {
                let offset = principal.mean.dot(direction)
                var values = rows.map { $0.dot(direction) - offset }
                if !isShort { values = bell.smoothed(values) }
                let sorted = values[window].sorted()
                let range = sorted[(sorted.count - 1) * 95 / 100] - sorted[(sorted.count - 1) * 5 / 100]
                guard range / track.size >= configuration.leastRange else { continue }
                add(
                    CandidateSignal(
                        frame: frame, component: component, window: window, share: share, direction: direction,
                        offset: offset, values: values, range: range))
            }
        }
    }

    private mutating func add(_ signal: CandidateSignal) {
        signals.append(signal)
        let isOfSet = signal.range >= configuration.leastSetRange * track.size
        var known: [Int] = []
        for hysteresis in configuration.hystereses {
            let points = TurningPoints(signal.values, hysteresis: hysteresis * signal.range)
            if hysteresis == voting { turns.append(Self.turnsBefore(points.rows, of: track.count)) }
            // Equal cuts at two hystereses are one hypothesis.
            guard points.rows.count >= 3, isOfSet, points.rows != known else { continue }
            known = points.rows
            for first in 0...1 {
                let cycles = stride(from: first, to: points.rows.count - 2, by: 2).map {
                    Cycle(signal.values, from: points.rows[$0], turn: points.rows[$0 + 1], to: points.rows[$0 + 2])
                }
                addRuns(of: cycles, signal, hysteresis)
            }
        }
    }

    /// Splits cycles into runs at long pauses and at cycles much unlike the others in size or length.
    private mutating func addRuns(of cycles: [Cycle], _ signal: CandidateSignal, _ hysteresis: Float) {
        guard !cycles.isEmpty else { return }
        let within = cycles.filter { $0.start >= signal.window.lowerBound - 1 && $0.end <= signal.window.upperBound }
        let typical = within.isEmpty ? cycles : within
        let (amplitude, length) = (median(typical.map(\.amplitude)), median(typical.map(\.length)))
        let longestPause = max(
            configuration.mostLength * length, Float(configuration.longestPause / track.interval))
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

    /// Makes a hypothesis of a run that reaches into the signal's window.
    private mutating func close(_ run: inout [Cycle], _ signal: CandidateSignal, _ hysteresis: Float) {
        defer { run = [] }
        guard let first = run.first, let last = run.last, last.end > signal.window.lowerBound,
            Double(track.count - last.to) * track.interval < configuration.patience,
            first.start < signal.window.upperBound - 1
        else { return }
        let shapes = CycleShapes(run, in: rows[.centred] ?? [])
        let placed = CycleShapes(run, in: rows[.placed] ?? [])
        let mirrored = CycleShapes(run, in: rows[.centred] ?? [], mirroring: true)
        let unlikeness = shapes.unlikeness
        let ways = shapes.ways
        let evidence = CycleEvidence(run, signal, hysteresis, track, path)
        hypotheses.append(
            CycleHypothesis(
                signal: signals.count - 1, hysteresis: hysteresis, cycles: run,
                whole: evidence.whole(shapes, placed, mirrored, unlikeness, ways), each: evidence.each(unlikeness, ways)
            ))
    }

    /// How far the body moves from the beginning until a time, body sizes.
    func path(until time: TimeInterval) -> Float {
        let row = min(TimeInterval(track.count - 1), max(0, (time - track.origin) / track.interval))
        return path[Int(row)] / track.size
    }

    // MARK: Agreement

    /// Measures for every hypothesis how many of the other signals turn as often in the same time.
    private mutating func weighAgreement() {
        for index in hypotheses.indices {
            let hypothesis = hypotheses[index]
            guard let first = hypothesis.cycles.first?.start, let last = hypothesis.cycles.last?.end else { continue }
            let voters = turns.indices.filter { number in
                let window = signals[number].window
                let shared = min(window.upperBound, last) - max(window.lowerBound, first)
                return number != hypothesis.signal && 2 * shared > min(window.count, last - first)
            }
            guard !voters.isEmpty else { continue }
            var (agreeing, density) = (0, Float(0))
            let count = Float(hypothesis.cycles.count)
            for voter in voters {
                let found = Float(turns[voter][last + 1] - turns[voter][first]) / 2
                if abs(found - 0.25 - count) <= max(0.8, 0.12 * count) { agreeing += 1 }
                density += log(min(10, max(0.1, found / count)))
            }
            hypotheses[index].whole[CycleEvidence.agreement] = Float(agreeing) / Float(voters.count)
            hypotheses[index].whole[CycleEvidence.density] = density / Float(voters.count)
            for (place, cycle) in hypothesis.cycles.enumerated() {
                var found = 0
                for voter in voters { found += turns[voter][cycle.end] - turns[voter][cycle.start] }
                let each = Float(found) / 2 / Float(voters.count)
                hypotheses[index].each[place][CycleEvidence.cycleDensity] = min(3, each)
                hypotheses[index].each[place][CycleEvidence.cycleDensity + 1] = abs(log(min(5, max(0.1, each))))
            }
        }
    }

    /// Choosing the best of several hypotheses about a cycle overstates its probability, so each probability is
    /// averaged with the mean over all hypotheses that show the same cycle.
    private mutating func weighSameCycles() {
        var all: [(cycle: Cycle, hypothesis: Int, place: Int)] = []
        for (index, hypothesis) in hypotheses.enumerated() {
            all += hypothesis.cycles.enumerated().map { ($1, index, $0) }
        }
        all.sort { $0.cycle.from < $1.cycle.from }
        let own = all.map { hypotheses[$0.hypothesis].probabilities[$0.place] }
        var (sums, numbers) = (own, [Float](repeating: 1, count: own.count))
        for one in all.indices {
            let (from, to) = (all[one].cycle.from, all[one].cycle.to)
            let latest = from + Int((1 - configuration.sameCycle) * Float(to - from))
            for other in all[(one + 1)...].indices {
                let cycle = all[other].cycle
                if cycle.from > latest { break }
                let (both, either) = (min(to, cycle.to) - cycle.from, max(to, cycle.to) - from)
                guard Float(both) > configuration.sameCycle * Float(either) else { continue }
                sums[one] += own[other]
                sums[other] += own[one]
                numbers[one] += 1
                numbers[other] += 1
            }
        }
        for (index, one) in all.enumerated() {
            hypotheses[one.hypothesis].probabilities[one.place] = (own[index] + sums[index] / numbers[index]) / 2
        }
    }

    private static func turnsBefore(_ points: [Int], of count: Int) -> [Int] {
        var turns = [Int](repeating: 0, count: count + 1)
        for point in points { turns[point + 1] += 1 }
        for row in 0..<count { turns[row + 1] += turns[row] }
        return turns
    }
}
