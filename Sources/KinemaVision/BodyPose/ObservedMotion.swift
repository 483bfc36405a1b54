import Foundation

/// Where a person was seen and is expected next. The velocity is that between two observations some time apart, and a
/// person found after a gap has moved in a straight line, as in OC-SORT (Cao et al., "Observation-Centric SORT", 2023).
struct ObservedMotion: Sendable {
    private struct Observation {
        var time: TimeInterval
        var body: BodyLandmarks
    }

    /// The time between the observations that give the velocity, in seconds: shorter is jitter, longer misses a turn.
    private static let window: TimeInterval = 0.4
    /// The time in which a person's size shrinks, in seconds: a half-hidden person is no smaller.
    private static let shrinking: TimeInterval = 2

    private var observations: [Observation]
    /// Pixels per second; zero before there are two observations.
    private(set) var velocity = SIMD2<Double>()
    /// The size of the whole body in pixels.
    private(set) var scale: Double

    init(_ body: BodyLandmarks, at time: TimeInterval) {
        observations = [Observation(time: time, body: body)]
        scale = max(1, body.size)
    }

    var time: TimeInterval { observations.last?.time ?? 0 }

    mutating func observe(_ body: BodyLandmarks, at time: TimeInterval) {
        let elapsed = time - self.time
        guard elapsed > 0 else { return }
        scale += (max(1, body.size) - scale) * min(1, elapsed / (body.size < scale ? Self.shrinking : 0.2))
        observations.append(Observation(time: time, body: body))
        // One observation at least as old as the window stays.
        while observations.count > 2, time - observations[1].time >= Self.window { observations.removeFirst() }
        let first = observations[0]
        velocity = first.body.displacement(to: body) / (time - first.time)
    }

    /// The expected shift since the last sighting, in pixels; the movement decays.
    func shift(at time: TimeInterval, _ weights: PersonMatchWeights) -> SIMD2<Double> {
        velocity * weights.persistence * (1 - exp(-max(0, time - self.time) / weights.persistence))
    }
}
