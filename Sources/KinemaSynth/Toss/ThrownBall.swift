internal import KinemaDraw

/// A ball at rest, in flight, perhaps bouncing, and at rest again.
struct ThrownBall: Sendable {
    /// The flights in order of time; each bounce starts a new one.
    var flights: [BallisticFlight]
    /// The radius, in metres.
    var radius: Double
    var color: Color
    /// The time in view before the first flight and after the last one, in seconds.
    var restBefore: Double
    var restAfter: Double

    /// The ball at a time; nil while it is not visible.
    func solid(at time: Double) -> Solid? {
        guard let first = flights.first, let last = flights.last, time >= first.start - restBefore,
            time <= last.end + restAfter
        else { return nil }
        let flying = flights.last { $0.start <= time }
        let position = flying.flatMap { $0.position(at: min(time, $0.end)) } ?? first.origin
        return Solid(position, position, radius, radius, color, gloss: 0.1)
    }
}
