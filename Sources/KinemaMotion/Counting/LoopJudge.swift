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
        var duration: TimeInterval
    }

    private var pattern: Pattern?
    private var candidates: [Loop] = []
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

    /// The repetitions that a new loop makes certain, itself included or not.
    mutating func take(_ loop: Loop, trace: ((String) -> Void)?) -> [Loop] {
        guard isPossible(loop) else {
            trace?("impossible \(loop)")
            return []
        }
        if let pattern { trace?("unlike \(unlikeness(of: loop, to: pattern)) \(loop)") }
        if let pattern, belongs(loop, to: pattern) { return accept([loop]) }
        if candidates.contains(where: { $0.far.time == loop.far.time && $0.amplitude >= loop.amplitude }) { return [] }
        trace?("candidate \(loop) \(candidates.map { $0.unlikeness(to: loop) }.suffix(3))")
        candidates.removeAll {
            $0.far.time == loop.far.time || ($0.startTime >= loop.startTime && $0.amplitude < 0.6 * loop.amplitude)
        }
        candidates.removeAll { loop.endTime - $0.endTime > 30 }
        candidates.append(loop)
        // The same movement may be read from either end; the reading that explains more of it is right.
        var readings = [chain(endingWith: loop)].filter(isConvincing)
        for early in candidates where isOvertaken(early, by: loop) {
            let chain = chain(endingWith: early)
            if strength(of: chain) + 0.5 * strength(of: loop) >= 0.8 { readings.append(chain) }
        }
        guard let best = readings.min(by: { $0[0].startTime < $1[0].startTime }) else { return [] }
        return accept(best)
    }

    /// The repetition that the end of the recording, or a cut, left unfinished: at least two fifths of the way back.
    mutating func takeUnfinished(_ loop: Loop) -> [Loop] {
        guard let pattern, unlikeness(of: loop, to: pattern) < 0.6, loop.amplitude > 0.6 * pattern.amplitude,
            loop.duration < 3 * pattern.duration + 1
        else { return [] }
        return accept([loop])
    }

    /// The view changed: what was typical looks different now.
    mutating func endSegment(at time: TimeInterval) {
        isResuming = pattern != nil
        pattern = nil
        candidates = []
    }

    /// What still counts when nothing more comes.
    mutating func finish() -> [Loop] {
        guard lastEnd == nil, let best = candidates.max(by: { $0.amplitude < $1.amplitude }), best.amplitude > 0.5,
            best.residual < 0.35, best.isComplete, !best.isCutOff
        else { return [] }
        return accept([best])
    }

    private mutating func accept(_ loops: [Loop]) -> [Loop] {
        for loop in loops {
            var next = pattern ?? Pattern(models: [loop], amplitude: loop.amplitude, duration: loop.duration)
            next.amplitude += (loop.amplitude - next.amplitude) * 0.3
            next.duration += (loop.duration - next.duration) * 0.3
            if !loop.isCutOff { next.models = [loop] + next.models.prefix(2) }
            pattern = next
            lastEnd = loop.endTime
        }
        candidates = []
        isResuming = false
        return loops
    }

    private func isPossible(_ loop: Loop) -> Bool {
        loop.duration > 0.25 && loop.duration < 13 && loop.shift < max(0.6, 0.4 * loop.amplitude)
            && loop.growth < 1.3
    }

    private func belongs(_ loop: Loop, to pattern: Pattern) -> Bool {
        loop.isComplete && loop.amplitude > 0.45 * pattern.amplitude && unlikeness(of: loop, to: pattern) < 0.6
            && loop.duration > 0.3 * pattern.duration && loop.duration < 3.5 * pattern.duration + 1
    }

    /// How far a loop differs from the last ones of the set.
    private func unlikeness(of loop: Loop, to pattern: Pattern) -> Float {
        pattern.models.reduce(.infinity) { min($0, loop.unlikeness(to: $1)) }
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
        return early.endTime <= late.startTime + 0.3 * longest
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
        if chain.count == 1 {
            let loop = chain[0]
            guard loop.isComplete, !loop.isCutOff, lastEnd == nil || isResuming else { return false }
            return loop.amplitude > (isResuming ? 0.4 : 0.7) && loop.residual < 0.2 && loop.shift < 0.4
                && loop.growth < 1.15 && loop.duration > 0.4 && loop.detour < 0.35
        }
        guard chain.contains(where: { $0.isComplete && !$0.isCutOff }) else { return false }
        return strength(of: chain) >= 1
    }

    private func strength(of chain: [Loop]) -> Float {
        chain.reduce(0) { $0 + strength(of: $1) }
    }

    /// How much a loop adds to the belief that a set is under way.
    private func strength(of loop: Loop) -> Float {
        min(1, loop.amplitude / 0.7) * (1 - loop.residual) * (loop.isComplete ? 1 : 0.6) * (loop.isCutOff ? 0.6 : 1)
    }
}
