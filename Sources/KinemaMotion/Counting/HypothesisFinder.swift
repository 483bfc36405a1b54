import Foundation

/// Makes every hypothesis there is of a stretch of movement: many simple signals, each cut into cycles at several
/// hystereses, whichever end a cycle begins at.
struct HypothesisFinder {
    let track: MovementTrack
    private(set) var signals: [CandidateSignal] = []
    private(set) var hypotheses: [CycleHypothesis] = []
    private let rows: [CandidateSignal.Frame: [JointRow]]
    /// How far the body had moved in all at each row.
    private let path: [Float]
    /// The turning points of each signal at the middle hysteresis, which vote on one another.
    private var turns: [[Int]] = []

    /// How long the windows are of which directions are taken, seconds; beside them all there is.
    private static let spans = [6.0, 16.0]
    /// How many directions are taken of each window.
    private static let components = 2
    /// The ways back that make a turning point, shares of a signal's range.
    private static let hystereses: [Float] = [0.2, votingHysteresis, 0.5]
    private static let votingHysteresis: Float = 0.35
    /// A signal of a smaller range is stillness, body sizes.
    private static let leastRange: Float = 0.08
    /// How wide joints are smoothed, and signals of the longer windows on top of that, seconds.
    private static let smoothing = (joints: 0.12, signals: 0.25)
    /// What a cycle of a run may have of the run's median: the amplitude and the length.
    private static let likeAmplitudes: ClosedRange<Float> = 0.35...2.8
    private static let longest: Float = 4
    /// A pause of this ends a run if it is also longer than the longest cycle would be, seconds.
    private static let pause: Float = 3

    init(_ track: MovementTrack) {
        self.track = track
        let bell = SmoothingBell(Self.smoothing.joints, interval: track.interval)
        rows = [.placed: bell.smoothed(track.placed), .centred: bell.smoothed(track.centred)]
        let steady = SmoothingBell(Self.smoothing.signals, interval: track.interval).smoothed(track.centred)
        var sum: Float = 0
        path = steady.indices.map { index in
            if index > 0 { sum += (steady[index] - steady[index - 1]).absolute }
            return sum
        }
        for (window, isShort) in windows { addSignals(of: window, isShort: isShort) }
        weighAgreement()
        for index in hypotheses.indices {
            let hypothesis = hypotheses[index]
            hypotheses[index].probabilities = hypothesis.each.map {
                CycleScore.fitted.probability(hypothesis.whole + $0)
            }
        }
    }

    /// All rows, then windows that begin at the middle of the one before.
    private var windows: [(rows: Range<Int>, isShort: Bool)] {
        var windows = [(0..<track.count, false)]
        for (index, span) in Self.spans.enumerated() {
            let rows = Int(span / track.interval)
            guard rows < track.count, rows > 1 else { continue }
            for start in stride(from: 0, to: track.count - rows / 2, by: rows / 2) {
                windows.append((start..<min(start + rows, track.count), index == 0))
            }
        }
        return windows
    }

    private mutating func addSignals(of window: Range<Int>, isShort: Bool) {
        let bell = SmoothingBell(Self.smoothing.signals, interval: track.interval)
        for frame in CandidateSignal.Frame.allCases {
            let rows = rows[frame] ?? []
            let principal = PrincipalComponents(rows[window], components: Self.components)
            for (component, (direction, share)) in principal.directions.enumerated() {
                let offset = principal.mean.dot(direction)
                var values = rows.map { $0.dot(direction) - offset }
                if !isShort { values = bell.smoothed(values) }
                let sorted = values[window].sorted()
                let range = sorted[(sorted.count - 1) * 95 / 100] - sorted[(sorted.count - 1) * 5 / 100]
                guard range / track.size >= Self.leastRange else { continue }
                add(
                    CandidateSignal(
                        frame: frame, component: component, window: window, share: share, values: values, range: range))
            }
        }
    }

    private mutating func add(_ signal: CandidateSignal) {
        signals.append(signal)
        for hysteresis in Self.hystereses {
            let points = TurningPoints(signal.values, hysteresis: hysteresis * signal.range)
            if hysteresis == Self.votingHysteresis { turns.append(points.rows) }
            guard points.rows.count >= 3 else { continue }
            for first in 0...1 {
                let cycles = stride(from: first, to: points.rows.count - 2, by: 2).map {
                    Cycle(signal.values, from: points.rows[$0], turn: points.rows[$0 + 1], to: points.rows[$0 + 2])
                }
                addRuns(of: cycles, signal, hysteresis)
            }
        }
    }

    /// Divides cycles where one is quite unlike the others in size or length, or where a long pause is.
    private mutating func addRuns(of cycles: [Cycle], _ signal: CandidateSignal, _ hysteresis: Float) {
        guard !cycles.isEmpty else { return }
        let within = cycles.filter { $0.start >= signal.window.lowerBound - 1 && $0.end <= signal.window.upperBound }
        let typical = within.isEmpty ? cycles : within
        let (amplitude, length) = (median(typical.map(\.amplitude)), median(typical.map(\.length)))
        let longestPause = max(Self.longest * length, Self.pause / Float(track.interval))
        var run: [Cycle] = []
        for cycle in cycles {
            let isAlike =
                cycle.amplitude > Self.likeAmplitudes.lowerBound * amplitude
                && cycle.amplitude < Self.likeAmplitudes.upperBound * amplitude && cycle.length < Self.longest * length
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
            first.start < signal.window.upperBound - 1
        else { return }
        let shapes = CycleShapes(run, in: rows[.centred] ?? [])
        let placed = CycleShapes(run, in: rows[.placed] ?? [])
        let unlikeness = shapes.unlikeness
        let evidence = CycleEvidence(run, signal, hysteresis, track, path)
        hypotheses.append(
            CycleHypothesis(
                signal: signals.count - 1, hysteresis: hysteresis, cycles: run,
                whole: evidence.whole(shapes, placed, unlikeness), each: evidence.each(unlikeness)))
    }

    // MARK: Agreement

    /// Asks of every hypothesis how many of the other signals turn as often in the same time.
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
                let found = Float(Self.turns(turns[voter], first..<last + 1)) / 2
                if abs(found - 0.25 - count) <= max(0.8, 0.12 * count) { agreeing += 1 }
                density += log(min(10, max(0.1, found / count)))
            }
            hypotheses[index].whole[CycleEvidence.agreement] = Float(agreeing) / Float(voters.count)
            hypotheses[index].whole[CycleEvidence.density] = density / Float(voters.count)
            for (place, cycle) in hypothesis.cycles.enumerated() {
                let found = voters.reduce(0) { $0 + Self.turns(turns[$1], cycle.start..<cycle.end) }
                let each = Float(found) / 2 / Float(voters.count)
                hypotheses[index].each[place][CycleEvidence.cycleDensity] = min(3, each)
                hypotheses[index].each[place][CycleEvidence.cycleDensity + 1] = abs(log(min(5, max(0.1, each))))
            }
        }
    }

    /// How many turning points lie in a range of rows.
    private static func turns(_ rows: [Int], _ range: Range<Int>) -> Int {
        func below(_ row: Int) -> Int {
            var (low, high) = (0, rows.count)
            while low < high {
                let middle = (low + high) / 2
                if rows[middle] < row { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return below(range.upperBound) - below(range.lowerBound)
    }
}
