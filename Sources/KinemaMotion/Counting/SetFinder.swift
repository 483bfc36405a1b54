import Foundation

/// Decides which loops begin a set.
///
/// A loop alone proves little: people bend, reach and sit down. Loops that resemble each other and follow each other
/// are a set.
struct SetFinder {
    private var candidates: [Loop] = []
    private var solitary: Loop?
    /// How far the largest clean loop went, torso lengths.
    private var largest: Float = 0
    /// How many sets were found.
    private(set) var found = 0
    /// Whether a set was found before.
    private var hasFound = false
    /// The camera changed during a set, which may well go on.
    private var isResuming = false
    /// When the view began from which all is looked at: how clean something was before, was better seen then.
    private var viewSince: TimeInterval = -.infinity

    /// The readings of the last movements that a new loop makes a set, itself included or not.
    mutating func take(_ loop: Loop) -> [[Loop]] {
        guard loop.isPossible else { return [] }
        // While the body rests after a loop, the same loop is found again and again.
        if let known = candidates.firstIndex(where: {
            Self.isSame($0, loop) && $0.strength > 0.95 * loop.strength
        }) {
            candidates[known].restedUntil = loop.end.time
            return []
        }
        var loop = loop
        if let known = candidates.last(where: { Self.isSame($0, loop) && $0.isComplete && $0.endTime < loop.endTime }) {
            (loop.endTime, loop.restedUntil) = (known.endTime, loop.end.time)
        }
        candidates.removeAll {
            Self.isSame($0, loop) || ($0.startTime >= loop.startTime && $0.amplitude < 0.6 * loop.amplitude)
        }
        candidates.removeAll { loop.endTime - $0.endTime > 30 }
        candidates.append(loop)
        if loop.isComplete, !loop.isCutOff, loop.residual < 0.2 { largest = max(largest, loop.amplitude) }
        // The same movement may be read from either end.
        let reading = chain(endingWith: loop)
        var readings = [(chain: reading, isEnough: isConvincing(reading))]
        for early in candidates where isOvertaken(early, by: loop) {
            let chain = self.chain(endingWith: early)
            let link = self.link(early, loop, unlikeness: early.outboundUnlikeness(toReturnOf: loop))
            readings.append((chain, evidence(for: chain) + link >= Self.enough))
        }
        // Evidence for either reading is evidence that something is repeated.
        guard readings.contains(where: \.isEnough) else { return [] }
        found += 1
        return readings.map(\.chain)
    }

    /// What was found is known; what comes next begins anew.
    mutating func beginAnew() {
        candidates = []
        (hasFound, isResuming) = (true, false)
    }

    /// The loops that come before one that was found to be a repetition, and are like it, the earliest first.
    func loops(before loop: Loop) -> [Loop] {
        chain(endingWith: loop).dropLast().filter { $0.endTime <= loop.startTime + 0.15 * loop.duration }
    }

    /// The loops that were not found to be a set.
    var undecided: [Loop] { candidates }

    /// When the loop under way may have begun, if it follows loops that are not certain yet.
    var endsOfCandidates: [TimeInterval] { candidates.map(\.end.time) }

    /// The reading that a loop makes a set which the end of the recording, or a cut, left unfinished.
    ///
    /// There is one loop for each moment it may have begun at; the reading that explains most is right.
    func takeUnfinished(_ loops: [Loop]) -> [Loop]? {
        let chains = loops.filter(\.isPossible).map { chain(endingWith: $0) }.filter {
            evidence(for: $0) >= ($0.count > 2 ? Self.enough : Self.enoughForTwo)
        }
        return chains.max { evidence(for: $0) < evidence(for: $1) }
    }

    /// What was seen is looked at again, from another side.
    mutating func beginView(at time: TimeInterval) {
        keepSolitary()
        candidates = []
        viewSince = time
    }

    /// The view changed: what was seen looks different now.
    mutating func endSegment(at time: TimeInterval, duringSet: Bool) {
        if let last = candidates.indices.last, time - candidates[last].end.time < 0.7 {
            candidates[last].restedUntil = .infinity
        }
        isResuming = duringSet
        keepSolitary()
        candidates = []
    }

    /// The one loop that counts when the whole recording shows no set, at the end of it.
    var lonely: Loop? {
        guard !hasFound, let solitary, solitary.amplitude > 0.85 * largest else { return nil }
        return solitary
    }

    /// Keeps the best loop that nothing confirmed: it counts if the whole recording shows no set.
    private mutating func keepSolitary() {
        let clean = candidates.filter { canStandAlone($0) } + (solitary.map { [$0] } ?? [])
        solitary = clean.max { $0.strength < $1.strength }
    }

    /// Whether a loop that nothing confirmed may stand alone: somebody was ready for it for a while, did it cleanly and
    /// rested again. Sitting down and getting up looks like that too, but seldom comes after a long rest.
    private func canStandAlone(_ loop: Loop) -> Bool {
        loop.end.time > viewSince && loop.amplitude > 0.75 && loop.residual < 0.2 && loop.isComplete && !loop.isCutOff
            && loop.directness + 0.06 * Float(min(5, loop.restBefore)) > 0.8 && loop.detour < 0.35
            && loop.restedFor > 0.7 && loop.leftover < 0.3 && loop.restBefore > 0.6
            && loop.asymmetry < 0.12 && !loop.reachesDown
    }

    /// Whether two loops turn at the same moment and thus are one, found twice.
    private static func isSame(_ one: Loop, _ other: Loop) -> Bool {
        abs(one.far.time - other.far.time) < 0.2 * min(one.duration, other.duration)
    }

    /// The latest row of loops of one kind.
    private func chain(endingWith loop: Loop) -> [Loop] {
        var chain = [loop]
        var next = loop
        while let previous = candidates.last(where: { resembles($0, next) }) {
            chain.insert(previous, at: 0)
            next = previous
        }
        return chain
    }

    private func resembles(_ early: Loop, _ late: Loop) -> Bool {
        let longest = max(early.duration, late.duration)
        // Who picks things up does it again, but after a while.
        let pause = late.reachesDown ? 0.6 * longest : max(1.5, longest)
        let shortest = early.isCutOff ? longest : min(early.duration, late.duration)
        return early.endTime <= late.startTime + 0.3 * longest && late.quietSince <= early.endTime + 0.15 * longest
            && late.startTime - early.endTime < pause
            && early.unlikeness(to: late) < 0.38 && shortest > 0.4 * longest
            && min(early.amplitude, late.amplitude) > 0.5 * max(early.amplitude, late.amplitude)
    }

    /// Whether a later loop is the same movement seen from its other end: it begins where the earlier one turns.
    private func isOvertaken(_ early: Loop, by late: Loop) -> Bool {
        let slack = 0.35 * max(early.duration, late.duration)
        return early.far.time < late.far.time && abs(late.startTime - early.far.time) < slack
            && abs(late.far.time - early.endTime) < slack && early.alignment(with: late) < -0.6
            && min(early.amplitude, late.amplitude) > 0.5 * max(early.amplitude, late.amplitude)
    }

    private func isConvincing(_ chain: [Loop]) -> Bool {
        if chain.count == 1 { return isConvincing(chain[0]) }
        guard chain.contains(where: { $0.isComplete && !$0.isCutOff }) else { return false }
        return evidence(for: chain) >= Self.enough
    }

    /// Whether a loop is a repetition though nothing like it was seen yet: a clean way out of rest and wholly back.
    private func isConvincing(_ loop: Loop) -> Bool {
        guard loop.end.time > viewSince, loop.isComplete, !loop.isCutOff, !hasFound || isResuming, loop.residual < 0.12,
            loop.shift < 0.4,
            loop.growth < 1.15, loop.duration > 0.4, loop.detour < 0.35, loop.directness > 0.7
        else { return false }
        if isResuming { return loop.amplitude > 0.4 }
        return loop.amplitude > 0.7 && loop.restBefore > 0.3 + 0.3 * loop.duration && loop.leftover < 0.3
            && !loop.reachesDown
            && loop.asymmetry < 0.12
    }

    /// How much evidence makes a set: two clean loops that hardly differ, or more of the less clean.
    private static let enough: Float = 0.5
    /// The same of two loops of which the second is unfinished: who sits down twice looks like that too.
    private static let enoughForTwo: Float = 0.8

    /// How sure it is that a row of loops is a set.
    private func evidence(for chain: [Loop]) -> Float {
        zip(chain, chain.dropFirst()).reduce(0) { $0 + link($1.0, $1.1, unlikeness: $1.0.unlikeness(to: $1.1)) }
    }

    /// What two loops that differ so much add to the belief that a set is under way.
    private func link(_ early: Loop, _ late: Loop, unlikeness: Float) -> Float {
        (early.strength * late.strength).squareRoot() * max(0, min(1, (0.4 - unlikeness) / 0.25))
            * Float(1 - 0.4 * max(0, min(1, (late.startTime - early.endTime) / max(early.duration, late.duration))))
    }
}

/// How alike the postures of a window are at every distance in time, and the period that shows.
struct SelfSimilarity {
    /// Movements smaller than this are no movement, torso lengths: twice the jitter of landmarks.
    private static let least: Float = 0.15

    private let count: Int
    /// Squared distance between two postures, nil where one is missing; row by row.
    private let squares: [Float?]

    init(_ postures: [Posture?]) {
        count = postures.count
        var squares = [Float?](repeating: nil, count: count * count)
        for row in postures.indices {
            for column in row..<count {
                guard let one = postures[row], let two = postures[column] else { continue }
                let distance = one.distance(to: two)
                squares[row * count + column] = distance * distance
                squares[column * count + row] = distance * distance
            }
        }
        self.squares = squares
    }

    /// The period and how marked it is, frame by frame.
    var predictions: [HumanBodyActionPeriodPredictor.Prediction] {
        let nothing = HumanBodyActionPeriodPredictor.Prediction(period: 0, periodicity: 0)
        // Two of the shortest periods must fit.
        guard count >= 8 else { return Array(repeating: nothing, count: count) }
        let all = spread(around: count / 2, reach: count)
        guard let whole = bestLag(all, among: 4...max(4, count * 2 / 3)) else {
            return Array(repeating: nothing, count: count)
        }
        // Around each frame the tempo may differ from the whole window's by a third.
        let near = max(4, whole.lag * 2 / 3)...min(max(4, count * 2 / 3), max(5, whole.lag * 4 / 3))
        return (0..<count).map { frame in
            guard let local = bestLag(spread(around: frame, reach: whole.lag * 3 / 2), among: near) else {
                return nothing
            }
            return .init(period: local.period, periodicity: local.strength)
        }
    }

    /// The mean squared distance at each lag between frames within `reach` of a frame; nil where too few are known.
    private func spread(around frame: Int, reach: Int) -> [Float?] {
        // Near the window's ends the stretch moves inwards rather than getting shorter.
        let begin = max(0, min(frame - reach, count - 1 - 2 * reach))
        let frames = begin...min(count - 1, begin + 2 * reach)
        return (0..<count).map { lag in
            var sum: Float = 0
            var number = 0
            for early in frames where early + lag <= frames.upperBound {
                guard let square = squares[early * count + early + lag] else { continue }
                sum += square
                number += 1
            }
            return number * 4 >= frames.count ? sum / Float(number) : nil
        }
    }

    /// The shortest lag at which the movement comes back to itself, with the part of a frame beyond it.
    private func bestLag(_ spread: [Float?], among lags: ClosedRange<Int>) -> (
        lag: Int, period: Float, strength: Float
    )? {
        let known = spread.compactMap { $0 }
        guard let top = known.max(), top > Self.least * Self.least else { return nil }
        var dips: [(lag: Int, depth: Float)] = []
        for lag in lags where lag > 0 && lag < count {
            guard let here = spread[lag] else { continue }
            let before = spread[lag - 1] ?? .infinity
            let after = lag + 1 < count ? spread[lag + 1] ?? .infinity : .infinity
            if here <= before, here < after { dips.append((lag, 1 - here / top)) }
        }
        guard let deepest = dips.map(\.depth).max(), deepest > 0.3,
            let dip = dips.first(where: { $0.depth > 0.85 * deepest })
        else { return nil }
        return (dip.lag, Float(dip.lag) + offset(spread, at: dip.lag), max(0, min(1, dip.depth)))
    }

    /// The vertex of the parabola through a dip and its neighbours.
    private func offset(_ spread: [Float?], at lag: Int) -> Float {
        guard lag + 1 < count, let before = spread[lag - 1], let here = spread[lag], let after = spread[lag + 1],
            before + after - 2 * here > 0
        else { return 0 }
        return max(-0.5, min(0.5, (before - after) / (2 * (before + after - 2 * here))))
    }
}
