import Foundation

/// Follows a known set along its way and finds its repetitions.
///
/// The movement is a zigzag between 0, where repetitions begin and end, and 1, where they turn. A repetition has gone
/// at least half of the typical way out and come back at least half of it.
struct SetTracker {
    private(set) var set: ExerciseSet
    private var phase: Phase
    /// The way as it looks from every side, while it is not known how it looks after a cut.
    private var bends: BendsAxis?
    /// What was seen before a cut of a repetition that may end after it.
    private struct Carried {
        var start: TimeInterval
        /// How far it had gone.
        var top: Float
        var isOnWayBack: Bool
    }
    private var carried: Carried?
    /// When the camera changed, if what was seen before is known as it would have looked from the new side.
    var viewSince: TimeInterval = -.infinity
    let smoothing: Double
    /// Whether before the first repetition a way back was seen by itself: then a way out at the end makes one more.
    var owesHalf = false
    /// That way out, if there was a cut since.
    private var carriedHalf: Loop?

    private enum Stage {
        case resting, out, back
    }
    private var stage = Stage.resting
    /// When the repetition under way ends as it was reported, if it was.
    private var reportedEnd: TimeInterval?
    /// The postures since the last repetition's end, and their phases.
    private(set) var trail: [Posture] = []
    private(set) var places: [Float] = []
    /// The lowest place before the way out, the highest of it and the lowest after it; indices of the trail.
    private(set) var low = 0
    private(set) var top = 0
    private(set) var bottom = 0
    /// Whether the trail begins at a cut or where the watching began.
    private var isCutOff = true
    private(set) var lastEnd: TimeInterval = -.infinity

    /// Jitter does not turn a movement: this much of the way does.
    private static let swing: Float = 0.25
    /// A repetition is certain once this share of its way out was gone back: what stops there counts, too.
    private static let certain: Float = 0.65
    /// How far below 0 a repetition may begin or end.
    static let slack: Float = 0.1

    init(_ set: ExerciseSet, smoothing: Float) {
        self.set = set
        self.smoothing = Double(smoothing)
        phase = set.phase
    }

    /// Where the newest posture is on the way.
    var place: Float { places.last ?? 0 }

    /// How far the repetition under way has come: half at its turn, 1 at its end.
    var progress: Float {
        guard stage != .resting, reportedEnd == nil, let here = places.last else { return 0 }
        let share = max(0, min(1, here))
        return stage == .out ? share / 2 : 1 - share / 2
    }

    /// The repetition under way if it became certain with the newest posture: before it ends, so that it is reported in time.
    mutating func certain() -> Loop? {
        guard stage == .back, reportedEnd == nil, carried == nil, let now = trail.last,
            places[top] - places[low] >= ExerciseSet.leastShare,
            places[top] - places[bottom] >= max(ExerciseSet.leastShare, Self.certain * (places[top] - places[low]))
        else { return nil }
        var loop = loop(endingAt: now.time, isUnfinished: true)
        guard set.contains(loop) else { return nil }
        // The rest of a raised cosine that takes half of the usual time.
        let gone = acos(max(-1, min(1, 2 * places[bottom] - 1))) / .pi
        loop.endTime = now.time + Double(1 - gone) * set.duration / 2
        reportedEnd = loop.endTime
        return set.assessed(loop)
    }

    /// Whether the repetition that ended last had been reported before.
    private(set) var wasReported = false

    /// Takes the next posture and returns the repetition that ended with it.
    mutating func take(_ posture: Posture) -> Loop? {
        remember(posture)
        let now = trail.count - 1
        if let carried, now == 0 {
            guard places[0] > Self.swing else {
                // Back already: the rest of its way was left out.
                return close(at: posture.time, isUnfinished: false)
            }
            stage = carried.isOnWayBack ? .back : .out
        }
        switch stage {
        case .resting:
            if places[now] <= places[low] {
                low = now
            } else if places[now] > places[low] + Self.swing {
                (stage, top) = (.out, now)
            }
        case .out:
            if places[now] > places[top] { top = now }
            if places[now] < places[top] - Self.swing { (stage, bottom) = (.back, now) }
            if staysOut, let half { return closeHalf(half) }
        case .back:
            if places[now] < places[bottom] { bottom = now }
            guard places[now] <= places[top] else {
                (stage, top) = (.out, now)
                return nil
            }
            return closeIfThere()
        }
        return nil
    }

    /// Takes note of a repetition that was found otherwise: the next one begins after it.
    mutating func skip(_ loop: Loop) {
        guard loop.endTime > lastEnd else { return }
        lastEnd = loop.endTime
        rest(at: trail.firstIndex { $0.time >= loop.end.time } ?? max(0, trail.count - 1))
    }

    /// Learns from a repetition that was found otherwise, and returns it with how sure it is that it is one.
    mutating func adopt(_ loop: Loop) -> Loop {
        let known = set.assessed(loop)
        set.learn(loop)
        phase = set.phase
        places = trail.map(place(of:))
        return known
    }

    /// The repetition under way when the watching ends, if half of its way back was seen.
    mutating func finish() -> Loop? {
        guard stage == .back, reportedEnd == nil, places[top] - places[bottom] >= ExerciseSet.leastShare,
            let last = trail.last
        else { return nil }
        return close(at: last.time, isUnfinished: true)
    }

    /// Goes on after a cut: how the movement looks now is not known, but how the limbs bend is.
    ///
    /// Nil when too little is known about the bends. A repetition whose way out was seen before the cut may end after it.
    func resumed() -> SetTracker? {
        let bends = BendsAxis(from: set.rest.bends, to: set.far.bends)
        guard bends.length > Self.leastBend else { return nil }
        var next = SetTracker(set, smoothing: Float(smoothing))
        next.set.forgetView()
        (next.bends, next.lastEnd, next.owesHalf, next.carriedHalf) = (bends, lastEnd, owesHalf, half)
        let isOut = stage == .out && places[top] - places[low] >= ExerciseSet.leastShare
        if isOut || stage == .back && places[top] - places[bottom] < ExerciseSet.leastShare {
            next.carried = Carried(
                start: carried?.start ?? departure(), top: places[top], isOnWayBack: stage == .back)
        }
        return next
    }

    /// Movements of fewer radians cannot be followed by the bends alone.
    private static let leastBend: Float = 0.5

    func place(of posture: Posture) -> Float {
        guard let bends else { return phase.place(of: posture) }
        return bends.place(of: posture.bends) ?? places.last ?? 0
    }

    private mutating func remember(_ posture: Posture) {
        // Thirty postures a second are enough for the fastest movement.
        if trail.count > max(low, top, bottom) + 2, posture.time - trail[trail.count - 2].time < 0.03 {
            trail.removeLast()
            places.removeLast()
        }
        trail.append(posture)
        places.append(place(of: posture))
        // A long rest is forgotten but for its end.
        if stage == .resting, let first = trail.first, posture.time - first.time > 8 {
            let count = trail.count / 2
            trail.removeFirst(count)
            places.removeFirst(count)
            low = places.indices.min { places[$0] < places[$1] } ?? 0
            isCutOff = false
        }
    }

    private mutating func closeIfThere() -> Loop? {
        let way = max(places[top], carried?.top ?? 0) - places[bottom]
        guard carried != nil || places[top] - places[low] >= ExerciseSet.leastShare else {
            // Too shallow to count; what follows may begin here.
            rest(at: bottom)
            return nil
        }
        guard way >= ExerciseSet.leastShare, let end = arrival() else { return nil }
        return close(at: end, isUnfinished: false)
    }

    /// Whether the body rests where repetitions turn.
    private var staysOut: Bool {
        guard let now = trail.last, places[top] > Self.far else { return false }
        let arrival = places.lastIndex { $0 < places[top] - Self.swing } ?? 0
        return now.time - trail[arrival].time > max(1, set.duration)
    }

    /// The way out that together with the way back before the first repetition makes one, if nothing comes after it.
    var half: Loop? {
        guard owesHalf else { return nil }
        guard stage == .out, !trail.isEmpty else { return carriedHalf }
        let first = beginning
        guard places[top] > Self.far, place > places[top] - Self.swing,
            places[top] - places[first] > Self.far - Self.swing,
            top > first
        else { return nil }
        let (origin, far) = (trail[first], trail[top])
        let loop = Loop(
            start: origin, far: far, end: origin, amplitude: max(1e-6, origin.distance(to: far)), residual: 0,
            isCutOff: false, isComplete: true, isUnfinished: true,
            phases: trail.phases(from: first, over: top, to: top), startTime: departure(), endTime: far.time)
        return set.unlikeness(of: loop) < set.tolerance ? set.assessed(loop) : nil
    }

    private mutating func closeHalf(_ half: Loop) -> Loop {
        owesHalf = false
        lastEnd = half.endTime
        return half
    }

    /// From this place on the body is about where repetitions turn.
    static let far: Float = 0.75

    private mutating func close(at end: TimeInterval, isUnfinished: Bool) -> Loop? {
        var loop = loop(endingAt: end, isUnfinished: isUnfinished)
        rest(at: bottom)
        if loop.start.time < viewSince, loop.end.time > viewSince, !set.contains(loop) {
            // How it looked before the camera changed is known only roughly.
            (loop.isAcrossCut, loop.isCutOff) = (true, true)
        }
        guard set.contains(loop) else { return nil }
        lastEnd = max(lastEnd, end)
        let known = set.assessed(loop)
        set.learn(loop)
        if bends == nil || !loop.isCutOff {
            bends = nil
            phase = set.phase
        }
        places = trail.map(place(of:))
        return known
    }

    /// The next way out begins at a posture of the trail or later.
    private mutating func rest(at index: Int) {
        trail.removeFirst(index)
        places.removeFirst(index)
        low = places.indices.min { places[$0] < places[$1] } ?? 0
        (stage, top, bottom, isCutOff) = (.resting, 0, 0, false)
        // What follows begins after what was reported.
        lastEnd = max(lastEnd, reportedEnd ?? lastEnd)
        (wasReported, reportedEnd) = (reportedEnd != nil, nil)
        (carried, carriedHalf) = (nil, nil)
    }

    private func loop(endingAt end: TimeInterval, isUnfinished: Bool) -> Loop {
        let first = beginning
        let back = (top...bottom).last { places[$0] >= -Self.slack } ?? bottom
        let (origin, last) = (trail[first], trail[back])
        let amplitude = max(last.distance(to: trail[top]), 1e-6)
        return Loop(
            start: origin, far: trail[top], end: last, amplitude: amplitude,
            residual: origin.distance(to: last) / amplitude,
            isCutOff: carried != nil || isCutOff && places[low] > Self.swing,
            isComplete: true, isUnfinished: isUnfinished, isAcrossCut: carried != nil,
            phases: trail.phases(from: first, over: top, to: back),
            directness: trail.directness(from: first, over: top, to: back), startTime: carried?.start ?? departure(),
            endTime: end)
    }
}

/// When a way out began and a way back ended.
extension SetTracker {
    /// From this place on the body is about where repetitions end.
    private static let near: Float = 0.12

    /// Where the way out begins, an index of the trail.
    ///
    /// Who walked about before was a little lower at times: what counts is where the body was at last. Lower than where
    /// repetitions begin is where something else was done.
    var beginning: Int {
        let leave = (low...top).last { places[$0] <= max(places[low], -Self.slack) + Self.near } ?? low
        let since = trail[leave].time - 0.5 * set.duration
        let lowest = (low...leave).filter { trail[$0].time >= since }.min { places[$0] < places[$1] } ?? leave
        return (lowest...leave).first { places[$0] >= -Self.slack } ?? leave
    }

    /// A raised cosine passes the middle of its way and then `near`; from there it needs this share of the time between.
    ///
    /// acos(1 - 2 * 0.12) / (acos(0) - acos(1 - 2 * 0.12)) = 0.7075 / 0.8633
    private static let remainder = 0.82

    /// When the way back ended or is about to end; nil while it is under way.
    func arrival() -> TimeInterval? {
        let now = trail.count - 1
        if places[now] - places[bottom] > 0.08 { return turningTime() }
        let expected = crossing(Self.near, after: top).map { near in
            let middle = crossing(0.5, after: top) ?? trail[top].time
            return near + (near - middle) * Self.remainder
        }
        if let expected, trail[now].time > expected { return min(expected, trail[bottom].time) }
        guard hasStopped else { return nil }
        return min(trail[bottom].time, expected ?? trail[bottom].time)
    }

    /// When a movement that has set out anew turned: half-way between the moments it passed the same place.
    private func turningTime() -> TimeInterval {
        let level = places[bottom] + 0.08
        let down = crossing(level, after: top) ?? trail[bottom].time
        return (down + (trail.last?.time ?? down)) / 2 - smoothing / 2
    }

    /// Whether the body stands still after the way back.
    private var hasStopped: Bool {
        guard let now = trail.last, let before = trail.lastIndex(where: { now.time - $0.time >= 0.2 }), before > top
        else { return false }
        let speed = (places[before] - places[places.count - 1]) / Float(now.time - trail[before].time)
        let mean = (places[top] - places[bottom]) / Float(max(0.05, trail[bottom].time - trail[top].time))
        return speed < 0.15 * mean
    }

    /// When the way back passed a place for the last time, between two postures.
    private func crossing(_ level: Float, after first: Int) -> TimeInterval? {
        guard let index = (first..<bottom).last(where: { places[$0] > level }), places[index + 1] <= level else {
            return nil
        }
        let share = (places[index] - level) / max(1e-6, places[index] - places[index + 1])
        return trail[index].time + Double(share) * (trail[index + 1].time - trail[index].time)
    }

    /// When the way out began.
    func departure() -> TimeInterval {
        let begin = max(places[beginning], -Self.slack)
        let near = (low...top).last { places[$0] <= begin + Self.near } ?? low
        let middle = (near...top).first { places[$0] >= begin + 0.5 } ?? top
        let expected = trail[near].time - (trail[middle].time - trail[near].time) * Self.remainder - smoothing
        // Not everybody sets out as a cosine does, but at 0.02 all but a twentieth of the way out's time is to come.
        let last = (low...near).last { places[$0] <= begin + 0.02 } ?? low
        let latest = trail[last].time - 0.12 * (trail[top].time - trail[last].time) - smoothing
        return max(expected, latest, trail[0].time, lastEnd)
    }
}
