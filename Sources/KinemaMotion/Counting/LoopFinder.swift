import Foundation

/// Finds ways from a posture to a far one and back in what a body did lately.
///
/// From the posture at hand it looks back: the postures before must get unlike it and then like it again. Nothing is
/// assumed about which joints move or which way.
struct LoopFinder {
    /// How long a way out and back may take, seconds.
    static let longest: TimeInterval = 15

    /// How far the smoothing of postures lags behind, seconds.
    let smoothing: Float

    private(set) var history: [Posture] = []
    /// When the last repetition ended; the next one begins later. Nil when none was found since the watching began.
    private(set) var baseTime: TimeInterval?
    /// When a loop was found last, and when it turned.
    private var lastLook: (far: TimeInterval, time: TimeInterval)?

    init(smoothing: Float) {
        self.smoothing = smoothing
    }

    mutating func reset() {
        history.removeAll(keepingCapacity: true)
        baseTime = nil
        lastLook = nil
    }

    /// The next loop begins at the posture of the given time or later.
    mutating func beginAnew(at time: TimeInterval) {
        baseTime = time
        let index = history.firstIndex { $0.time >= time } ?? history.count
        history.removeFirst(min(index, max(0, history.count - 1)))
    }

    mutating func remember(_ posture: Posture) {
        // Thirty postures a second are enough for the fastest movement.
        if history.count > 1, posture.time - history[history.count - 2].time < 0.03 { history.removeLast() }
        history.append(posture)
        if history.count > 64, posture.time - history[history.count / 2].time > Self.longest {
            history.removeFirst(history.count / 2)
        }
    }

    /// The loop that the posture at hand closes, if it closes one of at least this size and comes to rest or turns.
    mutating func closedLoop(largerThan least: Float) -> Loop? {
        guard let now = history.last, let found = mostTelling(closures(largerThan: least)) else { return nil }
        let far = history[found.far]
        // While the body rests the same loop is found again and again: looking now and then is enough.
        if let lastLook, lastLook.far == far.time, now.time - lastLook.time < 0.06 { return nil }
        guard let arrival = arrival(from: found.far, to: found.origin) else { return nil }
        lastLook = (far.time, now.time)
        let turn = turn(after: found.far)
        let end = turn ?? now
        let start = turn == nil ? history[found.origin] : beginning(near: found)
        return Loop(
            start: start, far: far, end: end, amplitude: found.amplitude,
            residual: start.distance(to: end) / found.amplitude, isCutOff: found.isCutOff,
            isComplete: found.amplitude > 0.6 * reach(of: found),
            phases: history.phases(from: found.origin, over: found.far, to: history.count - 1),
            restBefore: restBefore(found.origin, within: 0.2 * found.amplitude),
            quietSince: quietSince(found.origin, within: 0.4 * found.amplitude),
            directness: history.directness(from: found.origin, over: found.far, to: history.count - 1),
            startTime: departure(from: found.origin, to: found.far),
            endTime: turn.map { $0.time - Double(smoothing) } ?? arrival)
    }

    /// Where the way out began, when the posture at hand is already on the next way out.
    private func beginning(near found: Closure) -> Posture {
        var best = history[found.origin]
        for posture in history[0..<found.origin].reversed() {
            guard history[found.origin].time - posture.time < 0.2 else { break }
            if posture.distance(to: history[found.far]) > best.distance(to: history[found.far]) { best = posture }
        }
        return best
    }

    /// Where the way back ended, if the movement has already set out anew.
    func turn(after far: Int) -> Posture? {
        // Slow movement rests where it turns; which posture is the farthest there would be chance.
        guard let now = history.last, now.time - history[far].time < 0.3 else { return nil }
        let reach = now.distance(to: history[far])
        var turn: (distance: Float, posture: Posture)?
        for posture in history[far...].reversed() {
            guard now.time - posture.time < 0.2 else { break }
            let distance = posture.distance(to: history[far])
            if distance > max(1.05 * reach, turn?.distance ?? 0) { turn = (distance, posture) }
        }
        return turn?.posture
    }

    private struct Closure {
        var amplitude: Float
        var far: Int
        var origin: Int
        var isCutOff = false
    }

    /// The largest loop that is about as direct as the smallest one: what only happens to be larger, because something
    /// else was done before, leads over many detours.
    private func mostTelling(_ closures: [Closure]) -> Closure? {
        guard let smallest = closures.first else { return nil }
        guard closures.count > 1 else { return refined(smallest) }
        let last = history.count - 1
        func directness(_ closure: Closure) -> Float {
            history.directness(from: closure.origin, over: closure.far, to: last)
        }
        let least = 0.75 * directness(smallest)
        return refined(closures.last { directness($0) >= least } ?? smallest)
    }

    /// Looks back for the smallest loop, and those at least 1.4 times larger around it.
    private func closures(largerThan least: Float) -> [Closure] {
        guard let now = history.last else { return [] }
        var found: [Closure] = []
        var far: (distance: Float, index: Int) = (least, -1)
        var nearest: (distance: Float, index: Int)?
        var isPast = false
        var index = history.count - 2
        while index >= 0 {
            let age = now.time - history[index].time
            guard age < Self.longest else { break }
            // The longer ago, the coarser the steps: about a thirtieth of the way back, and less work.
            defer { index -= age < 1 ? 1 : age < 4 ? 3 : 6 }
            let distance = history[index].distance(to: now)
            if distance > far.distance, nearest == nil || distance > 1.4 * far.distance {
                far = (distance, index)
                (nearest, isPast) = (nil, false)
            } else if far.index >= 0, !isPast, distance < nearest?.distance ?? .infinity {
                nearest = (distance, index)
                if distance < 0.4 * far.distance {
                    if found.last?.far == far.index { found.removeLast() }
                    found.append(Closure(amplitude: far.distance, far: far.index, origin: index))
                }
            } else if let nearest, nearest.distance < 0.4 * far.distance {
                // Past the origin the loop before this one begins; only a much larger one could still matter.
                isPast = isPast || distance > nearest.distance + 0.3 * far.distance
            }
        }
        if found.isEmpty, let cutOff = cutOff(far: far, nearest: nearest) { return [cutOff] }
        return found
    }

    /// The coarse steps may have passed the farthest posture and the nearest one by a little.
    private func refined(_ found: Closure) -> Closure {
        guard let now = history.last else { return found }
        var result = found
        for index in max(found.origin + 1, found.far - 5)..<min(history.count, found.far + 6) {
            let distance = history[index].distance(to: now)
            if distance > result.amplitude { (result.amplitude, result.far) = (distance, index) }
        }
        guard !found.isCutOff else { return result }
        var least = history[found.origin].distance(to: now)
        for index in max(0, found.origin - 5)..<min(result.far, found.origin + 6) {
            let distance = history[index].distance(to: now)
            if distance < least { (least, result.origin) = (distance, index) }
        }
        return result
    }

    /// A way back whose beginning was not seen, or began in another posture than it ended.
    private func cutOff(far: (distance: Float, index: Int), nearest: (distance: Float, index: Int)?) -> Closure? {
        guard baseTime == nil, far.index >= 0, let nearest else { return nil }
        let outbound = history[nearest.index].distance(to: history[far.index])
        guard outbound > 0.4 * far.distance, nearest.distance + outbound < 1.3 * far.distance else { return nil }
        return Closure(amplitude: far.distance, far: far.index, origin: nearest.index, isCutOff: true)
    }

    /// How long before and at the origin the body had been like that.
    private func restBefore(_ origin: Int, within tolerance: Float) -> TimeInterval {
        var index = origin
        while index > 0, history[index - 1].distance(to: history[origin]) < tolerance { index -= 1 }
        var after = origin
        while after + 1 < history.count, history[after + 1].distance(to: history[origin]) < tolerance { after += 1 }
        return history[after].time - history[index].time
    }

    private func quietSince(_ origin: Int, within tolerance: Float) -> TimeInterval {
        var index = origin
        while index > 0, history[index - 1].distance(to: history[origin]) < tolerance { index -= 1 }
        return history[index].time
    }

    /// How far from the far posture the way there began.
    private func reach(of found: Closure) -> Float {
        let far = history[found.far]
        var reach: Float = 0
        for index in stride(from: found.far - 1, through: 0, by: -1) {
            let distance = history[index].distance(to: far)
            if index < found.origin, distance < reach - 0.15 * found.amplitude { break }
            reach = max(reach, distance)
        }
        return found.isCutOff ? min(reach, found.amplitude) : reach
    }

    /// The loop that is under way since the last repetition, or since each of the given times, and two fifths back.
    func unfinishedLoops(since times: [TimeInterval], largerThan least: Float) -> [Loop] {
        let begins = baseTime.map { [$0] } ?? times
        return begins.compactMap { begin in
            history.firstIndex { $0.time >= begin }.flatMap { unfinishedLoop(from: $0, largerThan: least) }
        }
    }

    private func unfinishedLoop(from origin: Int, largerThan least: Float) -> Loop? {
        guard let now = history.last else { return nil }
        let start = history[origin]
        var far: (distance: Float, index: Int) = (least, -1)
        for index in origin..<history.count {
            let distance = history[index].distance(to: start)
            if distance > far.distance { far = (distance, index) }
        }
        guard far.index >= 0, Axis(from: history[far.index], to: start).position(of: now) > 0.4 * far.distance else {
            return nil
        }
        return Loop(
            start: start, far: history[far.index], end: now, amplitude: far.distance,
            residual: start.distance(to: now) / far.distance, isCutOff: false, isComplete: true, isUnfinished: true,
            phases: history.phases(from: origin, over: far.index, to: history.count - 1),
            directness: history.directness(from: origin, over: far.index, to: history.count - 1),
            startTime: departure(from: origin, to: far.index), endTime: now.time)
    }
}

/// When a way out begins and a way back ends.
extension LoopFinder {
    /// When the way back ended or is about to end, nil while it is still under way.
    func arrival(from far: Int, to origin: Int) -> TimeInterval? {
        guard let now = history.last else { return nil }
        // Limbs move on arcs: the second half of the way shows where they are going at its end.
        let reach = history[far].distance(to: now)
        let middle = history.indices.last { $0 <= far || history[$0].distance(to: now) > 0.6 * reach } ?? far
        let axis = Axis(from: history[max(far, middle)], to: now)
        // Slow movement needs a longer look to tell its speed from jitter.
        let span = max(0.07, min(0.25, 0.1 * (now.time - history[far].time)))
        let speeds = speeds(along: axis, since: far, span: span)
        guard let speed = speeds.first?.value, let peak = speeds.max(by: { $0.value < $1.value }), peak.value > 0 else {
            return nil
        }
        // An eighth of the peak: half a sine wave is then within a fiftieth of its end.
        let slow = 0.12 * peak.value
        guard speed < slow else { return nil }
        let hasTurned = speed < -0.2 * peak.value || turn(after: far) != nil
        let isThere = axis.length - axis.position(of: history[origin]) > -0.06 * reach
        let hasStopped = speeds.prefix { now.time - $0.time < 0.15 }.allSatisfy { $0.value < slow }
        guard hasTurned || isThere || hasStopped else { return nil }
        // The part of the quarter wave since the peak that is still to come.
        let angle = asin(Double(max(0, speed / peak.value)))
        let left = (now.time - peak.time) * angle / (Double.pi / 2 - angle)
        return now.time - span / 2 - Double(smoothing) + left
    }

    /// Speeds along an axis, torso lengths a second, each over `span` seconds; the latest first.
    private func speeds(along axis: Axis, since far: Int, span: TimeInterval) -> [(value: Float, time: TimeInterval)] {
        let way = history[far...].map(axis.position(of:))
        var speeds: [(Float, TimeInterval)] = []
        var earlier = history.count - 1
        for index in stride(from: history.count - 1, to: far, by: -1) {
            while earlier > far, history[index].time - history[earlier].time < span { earlier -= 1 }
            let interval = Float(history[index].time - history[earlier].time)
            speeds.append(((way[index - far] - way[earlier - far]) / max(interval, 1e-3), history[index].time))
        }
        return speeds
    }

    /// When the movement left the origin for the far posture.
    ///
    /// A tenth and three tenths of the way are clear of jitter; half a sine wave through both gives the beginning.
    func departure(from origin: Int, to far: Int) -> TimeInterval {
        let length = history[far].distance(to: history[origin])
        var later = history[far].time
        var early: TimeInterval?
        for index in stride(from: far, through: origin, by: -1) {
            let distance = history[index].distance(to: history[origin])
            if distance > 0.3 * length { later = history[index].time }
            early = history[index].time
            if distance < 0.1 * length { break }
        }
        let crossing = early ?? history[origin].time
        // asin: the phases of a half wave at 0.1 and 0.3 of its height are 0.6435 and 1.1593.
        let begin = crossing - (later - crossing) * 0.6435 / (1.1593 - 0.6435) - Double(smoothing)
        return max(begin, baseTime ?? history[0].time)
    }
}
