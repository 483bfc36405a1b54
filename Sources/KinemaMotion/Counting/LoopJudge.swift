import Foundation

/// Decides which loops are repetitions of an exercise.
///
/// A loop alone proves little: people bend, reach and sit down. Loops that resemble each other and follow each other
/// are a set; once a set is known, each further loop of its kind counts at once.
struct LoopJudge {
    /// What is typical for the set under way.
    private struct Pattern {
        var models: [Loop]
        var amplitude: Float
        var directness: Float
        var duration: TimeInterval
    }

    private var pattern: Pattern?
    private var candidates: [Loop] = []
    private var solitary: Loop?
    private var lastEnd: TimeInterval?
    /// The camera changed during a set, which may well go on.
    private var isResuming = false

    /// The smallest turn of a movement that is looked at, torso lengths: above the jitter of landmarks, and a quarter
    /// of the way in the set under way.
    var hysteresis: Float {
        max(0.15, 0.25 * (pattern?.amplitude ?? 0))
    }

    /// How far the repetitions of the set under way reach, torso lengths; nil while there is none.
    var typicalAmplitude: Float? { pattern?.amplitude }

    /// The way out of the set under way, or of the last loop that may become one; nil while there is none.
    var way: Axis? {
        (pattern?.models.first ?? candidates.last).map { Axis(from: $0.isUnfinished ? $0.start : $0.end, to: $0.far) }
    }

    /// The repetitions that a new loop makes certain, itself included or not.
    mutating func take(_ loop: Loop, trace: ((String) -> Void)?) -> [Loop] {
        guard isPossible(loop) else {
            trace?("impossible \(loop)")
            return []
        }
        if let pattern { trace?("unlike \(unlikeness(of: loop, to: pattern)) \(loop)") }
        if let pattern, belongs(loop, to: pattern) { return accept([loop]) }
        // While the body rests after a loop, the same loop is found again and again.
        if let known = candidates.firstIndex(where: {
            Self.isSame($0, loop) && strength(of: $0) > 0.95 * strength(of: loop)
        }) {
            candidates[known].restedUntil = loop.end.time
            return []
        }
        trace?("candidate \(loop) \(candidates.map { $0.unlikeness(to: loop) }.suffix(3))")
        var loop = loop
        if let known = candidates.last(where: { Self.isSame($0, loop) && $0.isComplete && $0.endTime < loop.endTime }) {
            (loop.endTime, loop.restedUntil) = (known.endTime, loop.end.time)
        }
        candidates.removeAll {
            Self.isSame($0, loop) || ($0.startTime >= loop.startTime && $0.amplitude < 0.6 * loop.amplitude)
        }
        candidates.removeAll { loop.endTime - $0.endTime > 30 }
        candidates.append(loop)
        // The same movement may be read from either end; the reading that explains more of it is right.
        var readings = [chain(endingWith: loop)].filter { isConvincing($0) }
        for early in candidates where isOvertaken(early, by: loop) {
            let chain = self.chain(endingWith: early)
            let link = self.link(early, loop, unlikeness: early.outboundUnlikeness(toReturnOf: loop))
            if evidence(for: chain) + link >= Self.enough { readings.append(chain) }
        }
        guard let best = readings.min(by: { $0[0].startTime < $1[0].startTime }) else { return [] }
        return accept(best)
    }

    /// When the loop under way may have begun, if it follows loops that are not certain yet.
    var endsOfCandidates: [TimeInterval] { candidates.map(\.end.time) }

    /// The repetitions made certain by a loop that the end of the recording, or a cut, left unfinished.
    ///
    /// There is one loop for each moment it may have begun at; the reading that explains most is right.
    mutating func takeUnfinished(_ loops: [Loop]) -> [Loop] {
        if let pattern {
            let last = loops.filter {
                unlikeness(of: $0, to: pattern) < 0.5 && $0.amplitude > 0.6 * pattern.amplitude
                    && $0.duration < 3 * pattern.duration + 1
            }
            return accept(Array(last.prefix(1)))
        }
        let chains = loops.filter(isPossible).map { chain(endingWith: $0) }.filter { evidence(for: $0) >= Self.enough }
        return accept(chains.max { evidence(for: $0) < evidence(for: $1) } ?? [])
    }

    /// The view changed: what was typical looks different now.
    mutating func endSegment(at time: TimeInterval) {
        if let last = candidates.indices.last, time - candidates[last].end.time < 0.7 {
            candidates[last].restedUntil = .infinity
        }
        isResuming = pattern != nil
        keepSolitary()
        pattern = nil
        candidates = []
    }

    /// What still counts when nothing more comes.
    mutating func finish(at time: TimeInterval) -> [Loop] {
        endSegment(at: time)
        guard lastEnd == nil, let solitary else { return [] }
        return accept([solitary])
    }

    /// Keeps the best loop that nothing confirmed: it counts if the whole recording shows no set.
    private mutating func keepSolitary() {
        let clean = candidates.filter(isClean) + (solitary.map { [$0] } ?? [])
        solitary = clean.max { strength(of: $0) < strength(of: $1) }
    }

    /// Whether a loop that nothing confirmed may stand alone.
    private func isClean(_ loop: Loop) -> Bool {
        loop.amplitude > 0.5 && strength(of: loop) > 0.35 && loop.residual < 0.3 && loop.isComplete && !loop.isCutOff
            && loop.directness > 0.55
            && loop.detour < 0.4 && loop.restedFor > 0.7 && loop.leftover < 0.4 && loop.restBefore > 0.6
            && loop.asymmetry < 0.15
            && !loop.reachesDown
    }

    private mutating func accept(_ loops: [Loop]) -> [Loop] {
        guard !loops.isEmpty else { return [] }
        var certain = loops
        for index in certain.indices {
            let others = (pattern?.models ?? []) + (index + 1 < loops.count ? [loops[index + 1]] : [])
            let unlikeness = others.map { loops[index].unlikeness(to: $0) }.min() ?? 0.5
            certain[index].confidence = max(0, min(1, 0.5 + 0.5 * strength(of: loops[index]) - unlikeness / 2))
            learn(loops[index])
        }
        lastEnd = certain.last?.endTime
        candidates = []
        isResuming = false
        return certain
    }

    private mutating func learn(_ loop: Loop) {
        var next =
            pattern
            ?? Pattern(
                models: [loop], amplitude: loop.amplitude, directness: loop.directness, duration: loop.duration)
        next.amplitude += (loop.amplitude - next.amplitude) * 0.3
        next.directness += (loop.directness - next.directness) * 0.3
        next.duration += (loop.duration - next.duration) * 0.3
        if !loop.isCutOff, !loop.isUnfinished { next.models = [loop] + next.models.prefix(2) }
        pattern = next
    }

    private func isPossible(_ loop: Loop) -> Bool {
        loop.duration > 0.25 && loop.duration < 13 && loop.shift < max(0.6, 0.4 * loop.amplitude)
            && loop.growth < 1.3
    }

    private func belongs(_ loop: Loop, to pattern: Pattern) -> Bool {
        loop.isComplete && loop.directness > 0.6 * pattern.directness && loop.amplitude > 0.45 * pattern.amplitude
            && unlikeness(of: loop, to: pattern) < 0.5
            && loop.duration > 0.3 * pattern.duration && loop.duration < 3.5 * pattern.duration + 1
    }

    /// How far a loop differs from the last ones of the set.
    private func unlikeness(of loop: Loop, to pattern: Pattern) -> Float {
        pattern.models.reduce(.infinity) { min($0, loop.unlikeness(to: $1)) }
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
        let shortest = early.isCutOff ? longest : min(early.duration, late.duration)
        return early.endTime <= late.startTime + 0.3 * longest && late.quietSince <= early.endTime + 0.15 * longest
            && late.startTime - early.endTime < max(1.5, 1.5 * longest)
            && early.unlikeness(to: late) < 0.5 && shortest > 0.4 * longest
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
        guard loop.isComplete, !loop.isCutOff, lastEnd == nil || isResuming, loop.residual < 0.2, loop.shift < 0.4,
            loop.growth < 1.15, loop.duration > 0.4, loop.detour < 0.35, loop.directness > 0.7
        else { return false }
        if isResuming { return loop.amplitude > 0.4 }
        return loop.amplitude > 0.7 && loop.restBefore > 0.6 && loop.leftover < 0.3 && !loop.reachesDown
            && loop.asymmetry < 0.12
    }

    /// How much evidence makes a set: two clean loops that hardly differ, or more of the less clean.
    private static let enough: Float = 0.5

    /// How sure it is that a row of loops is a set.
    private func evidence(for chain: [Loop]) -> Float {
        zip(chain, chain.dropFirst()).reduce(0) { $0 + link($1.0, $1.1, unlikeness: $1.0.unlikeness(to: $1.1)) }
    }

    /// What two loops that differ so much add to the belief that a set is under way.
    private func link(_ early: Loop, _ late: Loop, unlikeness: Float) -> Float {
        (strength(of: early) * strength(of: late)).squareRoot() * max(0, min(1, (0.45 - unlikeness) / 0.25))
    }

    /// How clean and large a loop is, 0...1.
    private func strength(of loop: Loop) -> Float {
        var strength = min(1, loop.amplitude / 0.7) * max(0, min(1, (loop.directness - 0.45) / 0.25))
        if !loop.isComplete || loop.isCutOff { strength *= 0.6 }
        return strength * (loop.isUnfinished ? 0.8 : 1 - loop.residual)
    }
}
