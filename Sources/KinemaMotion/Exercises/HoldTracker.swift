import Foundation

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
