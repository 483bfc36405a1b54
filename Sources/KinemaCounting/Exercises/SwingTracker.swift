import Foundation
import KinemaCore

/// Finds swings in a signal: a sufficient rise that mostly returns. The threshold is the exercise's minimum at first,
/// then a share of the person's usual swing.
struct SwingTracker: Sendable {
    /// The smallest swing that counts before the person is known, in shares of a full range.
    let minimum: Double
    private(set) var state = State.rest
    /// The usual size of this person's swings; nil before the first.
    private(set) var typical: Double?

    enum State: Sendable { case rest, away, back }

    private var samples: [(time: TimeInterval, value: Double)] = []
    private var low = (time: 0.0, value: Double.infinity)
    private var high = (time: 0.0, value: -Double.infinity)
    private var previousEnd = -Double.infinity
    private var sizes: [Double] = []

    /// The minimum share of a swing that returns.
    static let comeback = 0.6
    /// The minimum returned share at the end of a recording: human counts include three that end at 0.72 to 0.75.
    private static let comebackAtEnd = 0.7
    /// The share that counts as a complete return.
    private static let wholeComeback = 0.85
    /// The rest that ends a swing after a complete and a partial return, seconds.
    static let patience = 0.1, patienceBeforeWhole = 0.4
    /// A swing of less than this share of the usual one is another movement.
    private static let least = 0.35

    init(minimum: Double) { self.minimum = minimum }

    /// The minimum turn of a change of direction.
    private var hysteresis: Double { max(0.6 * minimum, 0.3 * (typical ?? 0)) }
    private var needed: Double { max(minimum, Self.least * (typical ?? 0)) }

    /// Whether the movement stands still at its far end.
    func rests(at time: TimeInterval) -> Bool { state == .away && time - high.time > 0.12 }

    /// Discards the current movement but keeps the person's usual swing.
    mutating func interrupt() {
        state = .rest
        samples = []
        low = (0, .infinity)
        high = (0, -.infinity)
    }

    mutating func push(_ value: Double, at time: TimeInterval) -> Swing? {
        samples.append((time, value))
        if let first = samples.first, time - first.time > 30 { samples.removeFirst(samples.count / 4) }
        switch state {
        case .rest:
            if value <= low.value { low = (time, value) }
            if value - low.value > hysteresis {
                state = .away
                high = (time, value)
            }
        case .away:
            if value >= high.value { high = (time, value) }
            if high.value - value > hysteresis {
                state = .back
                low = (time, value)
            }
        case .back:
            return comeBack(value, at: time)
        }
        return nil
    }

    /// Ends the recording: a swing that mostly returned counts, one that stopped halfway does not.
    mutating func finish() -> Swing? {
        guard state == .back, let last = samples.last else { return nil }
        let range = high.value - levelBefore()
        let isSeenToItsEnd = last.time - low.time >= Self.patience
        guard hasComeBack(range, by: Self.comebackAtEnd), var swing = complete(at: last.time) else { return nil }
        swing.isSeenToItsEnd = isSeenToItsEnd
        return swing
    }

    private mutating func comeBack(_ value: Double, at time: TimeInterval) -> Swing? {
        let before = levelBefore()
        let range = high.value - before
        if value < low.value - 0.02 * range {
            low = (time, value)
        } else if value < low.value {
            low.value = value
        }
        let share = (high.value - low.value) / max(range, 1e-6)
        let isBack = hasComeBack(range)
        if value - low.value > hysteresis, !isBack {
            // Not back yet: a bounce at the far end.
            state = .away
            if value > high.value { high = (time, value) }
            return nil
        }
        let patience = share > Self.wholeComeback ? Self.patience : Self.patienceBeforeWhole
        guard isBack, time - low.time >= patience || value - low.value > hysteresis else { return nil }
        return complete(at: time)
    }

    /// Whether enough of the swing has returned, relative to this swing or the usual one.
    private func hasComeBack(_ range: Double, by share: Double = comeback) -> Bool {
        high.value - low.value >= share * min(range, max(typical ?? 1, minimum))
    }

    private mutating func complete(at time: TimeInterval) -> Swing? {
        let before = levelBefore()
        let range = high.value - before
        guard hasComeBack(range) else { return nil }
        var swing = Swing(
            start: high.time, far: high.time, end: low.time, before: before, high: high.value, after: low.value)
        swing.start = crossing(level: before + 0.1 * range, from: high.time, backwards: true)
        swing.end = crossing(level: low.value + 0.1 * (high.value - low.value), from: high.time, backwards: false)
        state = .rest
        low = (time, samples.last?.value ?? low.value)
        defer {
            samples.removeAll { $0.time < swing.end }
            previousEnd = swing.end
        }
        guard swing.range >= needed else { return nil }
        sizes = sizes.suffix(6) + [swing.range]
        typical = sizes.quantile(0.5)
        return swing
    }

    /// The lowest level before the far end, searched backwards until it was clearly higher.
    private func levelBefore() -> Double {
        var least = high.value
        // Less is a bounce, not the start from rest.
        let clear = max(hysteresis, 0.5 * (typical ?? 2 * minimum))
        for sample in samples.reversed() where sample.time < high.time {
            if sample.value < least { least = sample.value }
            if sample.value > least + max(0.35 * (high.value - least), 0.15), high.value - least > clear { break }
        }
        return least
    }

    /// The time of crossing a level, to or from the far end, interpolated between samples.
    private func crossing(level: Double, from time: TimeInterval, backwards: Bool) -> TimeInterval {
        guard let top = samples.firstIndex(where: { $0.time >= time }) else { return time }
        var index = top
        while samples.indices.contains(index + (backwards ? -1 : 1)) {
            let next = index + (backwards ? -1 : 1)
            if samples[next].value <= level {
                let (a, b) = (samples[index], samples[next])
                let share = (a.value - level) / max(a.value - b.value, 1e-9)
                return a.time + (b.time - a.time) * min(1, max(0, share))
            }
            index = next
        }
        return samples[index].time
    }
}

/// Finds when a position is held: its traits are present, and nothing moves much.
struct HoldTracker: Sendable {
    let exercise: Exercise
    private var start: TimeInterval?
    private var last: TimeInterval = 0
    private var newest: TimeInterval = 0
    private var leftSince: TimeInterval?
    private var readings: [BodyReading] = []

    /// The time over which the position is judged, seconds; one bad picture does not matter.
    static let window: TimeInterval = 0.5
    /// The maximum interruption of a hold, seconds.
    private static let patience: TimeInterval = 0.6
    /// The fits at which a hold starts and ends, with hysteresis.
    private static let (enter, exit) = (0.3, 0.1)

    init(exercise: Exercise) { self.exercise = exercise }

    private var minimum: TimeInterval {
        if case .hold(let minimum) = exercise.kind { minimum } else { .infinity }
    }

    var isHeld: Bool { start.map { last - $0 >= minimum } ?? false }
    /// The duration of the hold so far; nil without one.
    var current: TimeInterval? { isHeld ? start.map { last - $0 } : nil }

    mutating func push(_ reading: BodyReading, trail: ReadingTrail) -> HeldPosition? {
        // Missing frames show no position.
        let ended = start != nil && reading.time - newest > Self.patience ? finish() : nil
        newest = reading.time
        let fit = exercise.fit(to: trail.between(reading.time - Self.window, reading.time))
        if fit >= (start == nil ? Self.enter : Self.exit) {
            start = start ?? reading.time
            last = reading.time
            leftSince = nil
            readings.append(reading)
            if readings.count > 3600 { readings.removeFirst(1800) }
            return ended
        }
        return ended ?? lose(at: reading.time)
    }

    mutating func lose(at time: TimeInterval) -> HeldPosition? {
        defer { newest = time }
        guard start != nil else { return nil }
        if time - newest > Self.patience { return finish() }
        leftSince = leftSince ?? time
        guard let leftSince, time - leftSince > Self.patience else { return nil }
        return finish()
    }

    mutating func finish() -> HeldPosition? {
        defer { (start, leftSince, readings) = (nil, nil, []) }
        guard let start, last - start >= minimum else { return nil }
        return HeldPosition(start: start, end: last, faults: faults)
    }

    private var faults: [Fault] {
        let view = readings.view
        return exercise.faults.compactMap { rule in
            FaultFinder(rule: rule, window: readings, duration: nil, view: view).fault(phase: "holding")
        }
    }
}
